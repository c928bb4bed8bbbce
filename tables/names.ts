// Names of columns in other words: the table in docs/guides/csv.md is made of it.

/** What exports of ERPs and spreadsheets call a column, in English and German, as `normalName` writes it. */
export const COLUMN_NAMES: Record<string, readonly string[]> = {
  sku: [
    ...['item', 'item no', 'item number', 'item id', 'item code', 'article', 'article no'],
    ...['article number', 'article id', 'product', 'product id', 'product code', 'product number'],
    ...['material', 'material number', 'part', 'part number', 'part no', 'sku id', 'sku code'],
    ...['artikel', 'artikelnummer', 'artikel nr', 'artikelnr', 'art nr', 'artnr', 'artikel id'],
    ...['artikelcode', 'materialnummer', 'material nr', 'materialnr', 'produkt', 'produktnummer'],
    ...['produkt nr', 'teilenummer', 'teile nr', 'sachnummer', 'ean', 'gtin'],
  ],
  location: [
    ...['location id', 'location code', 'store', 'store id', 'store code', 'store number', 'shop'],
    ...['site', 'plant', 'warehouse', 'warehouse id', 'warehouse code', 'branch', 'dc'],
    ...['standort', 'lager', 'lagerort', 'lager nr', 'lagernummer', 'filiale', 'filialnummer'],
    ...['filial nr', 'werk', 'markt', 'niederlassung'],
  ],
  date: [
    ...['day', 'week', 'month', 'sales date', 'sale date', 'order date', 'posting date'],
    ...['document date', 'invoice date', 'transaction date', 'timestamp', 'datetime'],
    ...['datum', 'tag', 'woche', 'monat', 'verkaufsdatum', 'bestelldatum', 'auftragsdatum'],
    ...['buchungsdatum', 'belegdatum', 'rechnungsdatum', 'stichtag', 'zeitstempel'],
  ],
  quantity: [
    ...['qty', 'units', 'units sold', 'quantity sold', 'sold', 'sales', 'sales qty', 'demand'],
    ...['sales quantity', 'sold quantity', 'order quantity', 'ordered quantity', 'open quantity'],
    ...['menge', 'anzahl', 'stück', 'stückzahl', 'stueck', 'absatz', 'absatzmenge', 'bedarf'],
    ...['verkaufsmenge', 'verkaufte menge', 'bestellmenge', 'auftragsmenge', 'offene menge'],
    ...['liefermenge', 'bedarfsmenge'],
  ],
  price: ['unit price', 'sales price', 'preis', 'verkaufspreis', 'vk preis', 'stückpreis'],
  promo: ['promotion', 'on promotion', 'onpromotion', 'aktion', 'werbung', 'promo flag'],
  on_hand: [
    ...['onhand', 'stock', 'stock on hand', 'quantity on hand', 'qty on hand', 'inventory'],
    ...['available stock', 'available', 'quantity', 'qty', 'unrestricted', 'unrestricted stock'],
    ...['bestand', 'lagerbestand', 'menge', 'verfügbar', 'verfügbarer bestand'],
    ...['frei verwendbar', 'frei verwendbarer bestand'],
  ],
  in_inspection: ['quality inspection', 'in quality inspection', 'in prüfung', 'qualitätsprüfung'],
  order: [
    ...['order no', 'order number', 'order id', 'document', 'document number', 'purchase order'],
    ...['po', 'po number', 'po no', 'bestellung', 'bestellnummer', 'bestell nr', 'beleg'],
    ...['belegnummer', 'beleg nr', 'auftrag', 'auftragsnummer', 'auftrags nr', 'einkaufsbeleg'],
  ],
  line: [
    ...['line no', 'line number', 'position', 'item', 'item no', 'pos', 'order line', 'zeile'],
    ...['positionsnummer', 'pos nr', 'bestellposition', 'auftragsposition'],
  ],
  reservation: ['reservation no', 'reservation number', 'reservierung', 'reservierungsnummer'],
  due: [
    ...['due date', 'delivery date', 'requested date', 'expected date', 'eta', 'promised date'],
    ...['requirement date', 'liefertermin', 'lieferdatum', 'fällig', 'fällig am'],
    ...['wunschtermin', 'bedarfstermin', 'termin'],
  ],
  ordered_on: ['order date', 'ordered', 'bestelldatum', 'bestellt am'],
  received_on: [
    ...['receipt date', 'received', 'received date', 'goods receipt date', 'wareneingang'],
    ...['wareneingangsdatum', 'eingangsdatum', 'eingang am'],
  ],
  reference: ['your reference', 'external reference', 'referenz', 'ihre referenz'],
  supplier: [
    ...['supplier id', 'supplier no', 'supplier number', 'vendor', 'vendor id', 'vendor number'],
    ...['lieferant', 'lieferantennummer', 'lieferanten nr', 'kreditor'],
  ],
  unit_cost: [
    ...['cost', 'unit price', 'purchase price', 'cost price', 'standard price'],
    ...['einkaufspreis', 'ek preis', 'ek', 'einstandspreis', 'stückkosten', 'kosten'],
  ],
  currency: ['currency code', 'währung', 'waehrung'],
  lead_time_days: [
    ...['lead time', 'leadtime', 'lead time in days', 'delivery time', 'planned delivery time'],
    ...['lieferzeit', 'lieferzeit tage', 'lieferzeit in tagen', 'wiederbeschaffungszeit'],
    ...['wbz', 'planlieferzeit', 'beschaffungszeit'],
  ],
  review_period_days: [
    ...['review period', 'order cycle', 'review cycle', 'bestellrhythmus'],
    ...['bestellintervall', 'prüfintervall'],
  ],
  moq: [
    ...['minimum order quantity', 'min order quantity', 'min order qty', 'minimum order'],
    ...['mindestbestellmenge', 'mindestmenge', 'minimale bestellmenge'],
  ],
  lot_size: [
    ...['pack size', 'case size', 'order multiple', 'rounding value', 'losgröße', 'losgrösse'],
    ...['losgroesse', 'verpackungseinheit', 've', 'gebinde', 'gebindegröße', 'rundungswert'],
  ],
  name: [
    ...['description', 'item name', 'product name', 'location name', 'store name'],
    ...['bezeichnung', 'artikelbezeichnung', 'beschreibung', 'artikelname', 'kurztext'],
  ],
  unit: ['uom', 'unit of measure', 'base unit', 'einheit', 'mengeneinheit', 'me', 'basiseinheit'],
  group: ['item group', 'product group', 'category', 'warengruppe', 'artikelgruppe', 'kategorie'],
  phase_out_on: ['phase out date', 'discontinued on', 'auslaufdatum', 'auslauf am'],
  successor: ['successor item', 'replaced by', 'nachfolger', 'nachfolgeartikel'],
  month: ['monat'],
  rate: ['exchange rate', 'kurs', 'wechselkurs'],
  valid_from: ['valid from', 'from date', 'gültig ab', 'gueltig ab'],
  from: ['from currency', 'von', 'von währung'],
  to: ['to currency', 'nach', 'nach währung', 'bis'],
}

/** `Artikel-Nr.` and `ARTIKEL_NR` are the same name. */
export const normalName = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200f\ufeff]/g, '') // nothing to be seen
    .trim()
    .toLowerCase()
    .replaceAll(/[\s._/:-]+/g, ' ')
    .trim()

/** The columns that a name may stand for, with or without what stands in brackets after it. */
export const columnsNamed = (name: string): string[] =>
  COLUMNS_OF.get(normalName(name)) ?? COLUMNS_OF.get(normalName(name.replace(/[([].*$/s, ''))) ?? []

const COLUMNS_OF = new Map<string, string[]>()
for (const [column, names] of Object.entries(COLUMN_NAMES))
  for (const name of [normalName(column), ...names])
    COLUMNS_OF.set(name, [...(COLUMNS_OF.get(name) ?? []), column])
