import type { RecordKind } from '../../records.ts'
import { ENDINGS } from '../file/drop.ts'
import type { SourceFiles } from '../file/source-files.ts'
import { TABLES, type Table } from '../tables.ts'

/** A note about a stream. */
export interface StreamNote {
  record: RecordKind
  note: string
}

/** What exports call the files, in English and German. */
const OTHER_NAMES: Record<string, string[]> = {
  demand: ['sales', 'history', 'consumption', 'absatz', 'verkauf', 'verkäufe', 'umsatz', 'bedarf'],
  stock: ['inventory', 'onhand', 'bestand', 'bestände', 'lagerbestand', 'lagerbestände'],
  items: ['products', 'articles', 'materials', 'skus', 'artikel', 'artikelstamm', 'produkte'],
  locations: ['stores', 'sites', 'plants', 'warehouses', 'standorte', 'filialen', 'lager'],
  planning: ['leadtimes', 'parameters', 'planung', 'disposition', 'lieferzeiten'],
  open_orders: ['orders', 'purchaseorders', 'pos', 'bestellungen', 'offenebestellungen'],
  customer_orders: ['salesorders', 'backorders', 'aufträge', 'kundenaufträge'],
  drafts: [
    ...['requisitions', 'purchaserequisitions', 'bestellanforderungen', 'banfen'],
    ...['contracts', 'blanketorders', 'kontrakte', 'rahmenverträge', 'lieferpläne'],
  ],
  receipts: ['goodsreceipts', 'deliveries', 'wareneingänge', 'wareneingang'],
  reservations: ['reservierungen'],
  batches: ['lots', 'expiry', 'chargen', 'mhd'],
  erp_forecast: ['forecast', 'forecasts', 'erpforecasts', 'prognose', 'prognosen', 'erpprognose'],
  exchange_rates: ['rates', 'currencies', 'kurse', 'wechselkurse'],
}

/** What a table may be in, beside what is read. */
const TABLE_FILE = /\.(csv|tsv|txt|xls|xlsx|ods|csv\.gz|zip)$/i
const MOST_EDITS = 2

/** Files of tables that nobody reads, each with the name that would have it read. */
export async function unreadFiles(files: SourceFiles, signal: AbortSignal): Promise<StreamNote[]> {
  const read = new Set(TABLES.flatMap(({ stem }) => ENDINGS.map((ending) => stem + ending)))
  const names = await files.names(signal)
  return names
    .filter((name) => TABLE_FILE.test(name) && !read.has(name))
    .map((name) => {
      const ending = ENDINGS.find((each) => name.toLowerCase().endsWith(each)) ?? '.csv'
      const table = tableNamed(name.replace(TABLE_FILE, ''))
      return {
        record: table?.record ?? 'demand',
        note: table
          ? `${name} is not read: give it the name ${table.stem}${ending} if it is that.`
          : `${name} is not read: no file of this name is known.`,
      }
    })
}

/** The table whose name, or another word for it, is the nearest. */
function tableNamed(name: string): Table | undefined {
  const letters = lettersOf(name)
  const edits = ({ stem }: Table) =>
    Math.min(
      ...[stem, ...(OTHER_NAMES[stem] ?? [])].map((each) => editsBetween(lettersOf(each), letters)),
    )
  const [nearest] = TABLES.map((table) => ({ table, edits: edits(table) })).sort(
    (one, other) => one.edits - other.edits,
  )
  return nearest && nearest.edits <= MOST_EDITS ? nearest.table : undefined
}

const lettersOf = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

/** Letters to insert, delete or replace (Levenshtein); short names must be equal. */
function editsBetween(a: string, b: string): number {
  if (Math.min(a.length, b.length) < 5) return a === b ? 0 : Infinity
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
