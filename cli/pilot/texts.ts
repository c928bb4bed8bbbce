// What a pilot's report says, in English and German side by side. `{name}` is an argument.
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

const TEXTS = {
  title: [
    'What the proposals would have been worth',
    'Was die Bestellvorschläge wert gewesen wären',
  ],
  when: [
    '{from} to {to}, {weeks} weeks, replayed week by week; amounts {amounts}. Made on {today}.',
    '{from} bis {to}, {weeks} Wochen, Woche für Woche nachgespielt; Beträge {amounts}. Erstellt am {today}.',
  ],
  weeks: ['{from} to {to}, {weeks} weeks.', '{from} bis {to}, {weeks} Wochen.'],
  in_currency: ['in {currency}', 'in {currency}'],
  in_unit_costs: ['in the currency of the unit costs', 'in der Währung der Stückkosten'],
  between: ['{low} to {high}', '{low} bis {high}'],

  verdict_nothing: [
    'Nothing can be said: no pair could be replayed.',
    'Es lässt sich nichts sagen: Kein Artikel konnte nachgespielt werden.',
  ],
  verdict_saves: [
    'Every proposal, ordered as calculated, would have saved {saving} ({share} of the cost; {band} in nine of ten cases), which is {year} a year.',
    'Jeder Vorschlag, bestellt wie berechnet, hätte {saving} gespart ({share} der Kosten; {band} in neun von zehn Fällen), das sind {year} im Jahr.',
  ],
  verdict_costs_more: [
    'Nothing to gain: every proposal, ordered as calculated, would have cost {more} more ({band}).',
    'Nichts zu gewinnen: Jeder Vorschlag, bestellt wie berechnet, hätte {more} mehr gekostet ({band}).',
  ],
  verdict_nothing_to_gain: [
    'Nothing to gain: the difference in cost, {saving}, cannot be told from chance or is too small to matter ({band}).',
    'Nichts zu gewinnen: Der Unterschied der Kosten, {saving}, ist von Zufall nicht zu unterscheiden oder zu klein ({band}).',
  ],
  end: [
    'When the last day was over, stock and open orders were worth {own} as it was, and {restock} with Restock.',
    'Nach dem letzten Tag waren Bestand und offene Bestellungen {own} wert, wie es war, und {restock} mit Restock.',
  ],

  as_it_was: ['As it was', 'Wie es war'],
  with_restock: ['With Restock', 'Mit Restock'],
  difference: ['Difference', 'Unterschied'],
  band: ['Band', 'Spanne'],
  low: ['{name}, low', '{name}, unten'],
  high: ['{name}, high', '{name}, oben'],
  figure: ['Figure', 'Kennzahl'],
  stockValue: ['Mean stock value', 'Mittlerer Bestandswert'],
  fillRate: ['Fill rate', 'Bedarf ab Lager'],
  stockoutDays: ['Days without stock, over all pairs', 'Tage ohne Bestand, über alle Artikel'],
  stockouts: ['Stockouts', 'Fehlbestände'],
  lines: ['Order lines', 'Bestellpositionen'],
  orders: ['Orders', 'Bestellungen'],
  carrying: ['Cost of carrying stock', 'Kosten der Lagerung'],
  shortage: ['Cost of units short', 'Kosten fehlender Einheiten'],
  ordering: ['Cost of ordering', 'Kosten des Bestellens'],
  cost: ['Cost in all', 'Kosten insgesamt'],

  by: ['By', 'Nach'],
  code: ['Code', 'Code'],
  none: ['none', 'ohne'],
  abc: ['ABC class', 'ABC-Klasse'],
  group: ['SKU group', 'SKU-Gruppe'],
  supplier: ['Supplier', 'Lieferant'],
  location: ['Location', 'Standort'],
  pairs: ['Pairs', 'Artikel'],
  saving: ['Saving', 'Ersparnis'],
  sku: ['SKU', 'SKU'],
  from: ['From', 'Ab'],
  short: ['Units short', 'Fehlende Einheiten'],

  unitCost: ['Unit cost', 'Stückkosten'],
  carryingRate: ['Carrying rate', 'Lagerkostensatz'],
  stockoutRate: ['Stockout rate', 'Fehlbestandskostensatz'],
  orderLineCost: ['Order line cost', 'Kosten je Bestellposition'],
  orderCost: ['Order cost', 'Kosten je Bestellung'],
  days: ['Days', 'Tage'],
  wanted: ['Units wanted', 'Gewünschte Einheiten'],
  unitDays: [
    'Units on hand, added up by day',
    'Einheiten im Bestand, über die Tage zusammengezählt',
  ],
  days_without: ['Days without stock', 'Tage ohne Bestand'],
  orders_by_share: ['Orders, by share', 'Bestellungen, anteilig'],
  endOnHand: ['On hand at the end', 'Bestand am Ende'],
  endOnOrder: ['On order at the end', 'Bestellt am Ende'],

  both_sides: ['Both sides', 'Beide Seiten'],
  by_four_weeks: ['By four weeks', 'Nach vier Wochen'],
  by_group: ['By group', 'Nach Gruppen'],
  gain_most: ['What gains most: {pairs}', 'Was am meisten gewinnt: {pairs}'],
  lose_most: ['What loses most: {pairs}', 'Was am meisten verliert: {pairs}'],
  limits: ['What bounds this', 'Was die Aussage begrenzt'],
  how: ['How it is counted', 'Wie gezählt wird'],
  too_short: ['Too short to draw.', 'Zu kurz für ein Bild.'],
  sheet_summary: ['Summary', 'Zusammenfassung'],
  sheet_figures: ['Figures', 'Kennzahlen'],
  sheet_blocks: ['Four weeks', 'Vier Wochen'],
  sheet_groups: ['Groups', 'Gruppen'],
  sheet_gainers: ['Gain most', 'Gewinnen am meisten'],
  sheet_losers: ['Lose most', 'Verlieren am meisten'],
  sheet_pairs: ['All pairs', 'Alle Artikel'],

  one_pair: ['1 pair', '1 Artikel'],
  some_pairs: ['{count} pairs', '{count} Artikel'],
  replayed: [
    '{replayed} of {known} pairs of SKU and location are replayed; the figures say nothing of the others.',
    '{replayed} von {known} Artikeln (SKU und Standort) sind nachgespielt; von den anderen sagen die Zahlen nichts.',
  ],
  left_no_lead_time: [
    '{pairs} left out: no lead time is known.',
    '{pairs} ausgelassen: ohne Wiederbeschaffungszeit.',
  ],
  left_no_cost: [
    '{pairs} left out: no unit cost is known.',
    '{pairs} ausgelassen: ohne Stückkosten.',
  ],
  left_no_stock: [
    '{pairs} left out: no stock is known.',
    '{pairs} ausgelassen: ohne bekannten Bestand.',
  ],
  left_too_new: [
    '{pairs} left out: too new, or never sold.',
    '{pairs} ausgelassen: zu neu oder nie verkauft.',
  ],
  left_contradicts: [
    '{pairs} left out: receipts and demand do not explain the stock.',
    '{pairs} ausgelassen: Wareneingänge und Bedarf erklären den Bestand nicht.',
  ],
  left_currency: [
    '{pairs} left out: with a unit cost in another currency than {currency}.',
    '{pairs} ausgelassen: Stückkosten in einer anderen Währung als {currency}.',
  ],
  all_named: [
    'The stock of every pair is that of its stock history.',
    'Der Bestand jedes Artikels ist der seiner Bestandshistorie.',
  ],
  counted: [
    'The stock of {pairs} is not that of a stock history on most days, but counted from receipts and demand.',
    'Der Bestand von {pairs} stammt an den meisten Tagen nicht aus einer Bestandshistorie, sondern ist aus Wareneingängen und Bedarf gezählt.',
  ],
  unexplained: [
    'What receipts and demand do not explain of stock is {share} of demand.',
    'Was Wareneingänge und Bedarf am Bestand nicht erklären, ist {share} des Bedarfs.',
  ],
  estimated: [
    '{share} of demand found no stock and was not booked: it is estimated from days with stock nearby, for both sides alike.',
    '{share} des Bedarfs fand keinen Bestand und wurde nicht gebucht: Er ist aus nahen Tagen mit Bestand geschätzt, für beide Seiten gleich.',
  ],
  unknown_days: [
    'Days of pairs without stock of which nothing can be told of demand: {count}. They count with what was sold.',
    'Tage von Artikeln ohne Bestand, über deren Bedarf sich nichts sagen lässt: {count}. Sie zählen mit dem, was verkauft wurde.',
  ],
  gap_days: [
    'Days of pairs that count for neither side, since their stock is not known: {count}.',
    'Tage von Artikeln, die für keine Seite zählen, weil ihr Bestand nicht bekannt ist: {count}.',
  ],

  below_minimum: [
    'Orders of Restock below the minimum of their supplier, which their lines cannot reach: {count}. What presses is ordered all the same.',
    'Bestellungen von Restock unter dem Mindestwert oder der Mindestmenge des Lieferanten, die ihre Positionen nicht erreichen: {count}. Was drängt, ist trotzdem bestellt.',
  ],
  young: [
    'First forecast from less than a year of demand: {pairs}. The ranges are wider than those of today, and so is the stock.',
    'Anfangs aus weniger als einem Jahr Bedarf prognostiziert: {pairs}. Die Spannen sind breiter als die von heute, und der Bestand ist höher.',
  ],

  how_alike: [
    'Both sides begin with the stock and the open orders of the first day, meet the same demand, and are counted at the same costs.',
    'Beide Seiten beginnen mit Bestand und offenen Bestellungen des ersten Tages, haben denselben Bedarf und zählen mit denselben Kosten.',
  ],
  how_orders: [
    'Each forecast knows the days before it alone. Orders are placed at the review period in whole weeks, exactly as calculated and filled up to what a supplier asks of an order, without a buyer who knows better, at the lead times, lot sizes and unit costs of today.',
    'Jede Prognose kennt nur die Tage vor ihr. Bestellt wird im Bestellrhythmus in ganzen Wochen, genau wie berechnet und aufgefüllt, wie es ein Lieferant von einer Bestellung verlangt, ohne Einkäufer, der es besser weiß, mit Wiederbeschaffungszeiten, Losgrößen und Stückkosten von heute.',
  ],
  how_arrival: [
    'An order arrives after as many days as the company’s own order did that was placed nearest to it, of the same SKU or else the same supplier; without any, after the planned lead time.',
    'Eine Bestellung kommt nach so vielen Tagen an wie die eigene, die ihr zeitlich am nächsten liegt, derselben SKU oder sonst desselben Lieferanten; gibt es keine, nach der geplanten Wiederbeschaffungszeit.',
  ],
  how_band: [
    'A band holds the figure of a further time as long in nine of ten cases: pairs and blocks of four weeks are drawn again 600 times, and the spread is widened for the chance of the time to come.',
    'Eine Spanne enthält die Zahl einer weiteren gleich langen Zeit in neun von zehn Fällen: Artikel und Blöcke von vier Wochen werden 600-mal neu gezogen, und die Streuung ist für den Zufall der kommenden Zeit verbreitert.',
  ],

  note_few_weeks: [
    'Only {weeks} weeks can be replayed: demand begins on {demand}, and stock or receipts on {stock}.',
    'Nur {weeks} Wochen lassen sich nachspielen: Der Bedarf beginnt am {demand}, Bestand oder Wareneingänge am {stock}.',
  ],
  note_source_receipts: [
    'Past stock is counted back from the stock of today by receipts and demand, and set to 0 on days on which it was read as such.',
    'Der frühere Bestand ist vom heutigen aus um Wareneingänge und Bedarf zurückgerechnet und 0 an Tagen, an denen er so gelesen wurde.',
  ],
  note_source_no_receipts: [
    'The connection has read no receipts: orders are counted from rises of stock, and cost nothing on either side.',
    'Die Verbindung hat keine Wareneingänge gelesen: Bestellungen sind aus Anstiegen des Bestands gezählt und kosten auf beiden Seiten nichts.',
  ],
  note_unknown: [
    'Pairs that {file} names without any demand: {pairs}. They are left out.',
    'Artikel ohne jeden Bedarf, die {file} nennt: {pairs}. Sie sind ausgelassen.',
  ],
  note_no_planning: [
    'There is no planning.csv: no lead time is known, and without one nothing is proposed.',
    'Es gibt keine planning.csv: Keine Wiederbeschaffungszeit ist bekannt, und ohne sie wird nichts vorgeschlagen.',
  ],
  note_counted_back: [
    'There is no stock_history.csv: past stock is counted back from stock.csv by receipts and demand.',
    'Es gibt keine stock_history.csv: Der frühere Bestand ist aus stock.csv um Wareneingänge und Bedarf zurückgerechnet.',
  ],
  note_no_stock: [
    'There is neither stock_history.csv nor stock.csv: what stock there was is not known.',
    'Es gibt weder stock_history.csv noch stock.csv: Welchen Bestand es gab, ist nicht bekannt.',
  ],
  note_no_receipts: [
    'There is no receipts.csv: orders are counted from rises of stock, their number is not known for sure, and they cost nothing on either side.',
    'Es gibt keine receipts.csv: Bestellungen sind aus Anstiegen des Bestands gezählt, ihre Zahl ist nicht sicher bekannt, und sie kosten auf beiden Seiten nichts.',
  ],
  note_no_order_days: [
    'receipts.csv names no day of an order: orders count on the day on which they came.',
    'receipts.csv nennt keinen Tag einer Bestellung: Bestellungen zählen an dem Tag, an dem sie kamen.',
  ],
  note_receipts_from: ['Receipts are known from {day} on.', 'Wareneingänge sind ab {day} bekannt.'],
} as const satisfies Record<string, readonly [en: string, de: string]>

export type TextKey = keyof typeof TEXTS

type Args = Record<string, string | number>

/** A sentence to be said in either language, or one that is English wherever it comes from. */
export type Note = string | { text: TextKey; args?: Args }

/** How a report says things. */
export class Words {
  readonly language: Language
  readonly #whole: Intl.NumberFormat
  readonly #small: Intl.NumberFormat
  readonly #percent: Intl.NumberFormat

  constructor(language: Language) {
    const numbers = (digits: number, least = 0) =>
      new Intl.NumberFormat(language, {
        ...{ minimumFractionDigits: least, maximumFractionDigits: digits, signDisplay: 'negative' },
      })
    this.language = language
    ;[this.#whole, this.#small, this.#percent] = [numbers(0), numbers(1), numbers(1, 1)]
  }

  text(key: TextKey, args: Args = {}): string {
    const text: string = TEXTS[key][LANGUAGES.indexOf(this.language)]!
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = args[name]!
      return typeof value === 'number' ? this.whole(value) : this.day(value)
    })
  }

  note(note: Note): string {
    return typeof note === 'string' ? note : this.text(note.text, note.args)
  }

  /** `1,234`; amounts and units are shown whole, small ones with a digit. */
  whole(value: number): string {
    return (Math.abs(value) < 10 ? this.#small : this.#whole).format(value)
  }

  percent(share: number | null): string {
    return share === null ? '–' : `${this.#percent.format(100 * share)} %`
  }

  pairs(count: number): string {
    return count === 1 ? this.text('one_pair') : this.text('some_pairs', { count })
  }

  /** A day as the language writes it; any other text as it is. */
  day(text: string): string {
    if (this.language === 'en') return text
    return text.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1')
  }

  amount(value: number, currency: string | null): string {
    return currency ? `${this.whole(value)} ${currency}` : this.whole(value)
  }
}
