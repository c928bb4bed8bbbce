// Measures lead times from receipts. There is a row for each supplier and SKU, and one for each supplier.
import cds from '@sap/cds'
import type { LeadTime } from '#cds-models/restock'
import {
  addDays,
  dayOfReceipt,
  daysBetween,
  type MeasuredLeadTime,
  measureLines,
  type ReceivedLine,
} from '../../../../engine/proposal/index.ts'
import {
  LeadTimes,
  readAs,
  Receipts,
  type Row,
  Sources,
  Syncs,
} from '../../../base/database/entities.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { isOneOf } from '../to-proposal.ts'

/** Older receipts say little about the supplier of today. */
const WINDOW_DAYS = 365
const PAGE = 20_000
const CHUNK = 5_000

/** Measures on a full sync and once a day, when all pairs are calculated anyway. */
export async function measureLeadTimes(source: number, sync: number | null) {
  const run = await SELECT.one.from(Syncs).columns('mode').where({ ID: sync })
  const last = await SELECT.one.from(Sources).columns('proposedOn').where({ ID: source })
  const { usual, last: latest } = await readLocalDays(source)
  if (run?.mode === 'incremental' && last?.proposedOn === usual) return
  const lines = await receivedLines(source, latest)
  const rows = [...lines].map(([key, of]) => toRow(source, key, of))
  await cds.tx(async () => {
    await DELETE.from(LeadTimes).where({ source_ID: source })
    for (let at = 0; at < rows.length; at += CHUNK) {
      await INSERT.into(LeadTimes).entries(rows.slice(at, at + CHUNK))
    }
  })
}

interface ReceivedRow {
  document: string
  receipt: string
  line: string
  sku: string
  supplier: string | null
  orderedOn: string | null
  due: string | null
  receivedOn: string
  quantity: number
}

/** Separates a supplier and a SKU; an empty SKU stands for all of the supplier. */
const SEPARATOR = '\u0000'

async function receivedLines(source: number, today: string): Promise<Map<string, ReceivedLine[]>> {
  const found = new Map<string, ReceivedLine[]>()
  const add = (supplier: string | null, sku: string, line: ReceivedLine) => {
    const key = `${supplier ?? ''}${SEPARATOR}${sku}`
    const known = found.get(key)
    if (known) known.push(line)
    else found.set(key, [line])
  }
  const end = (receipts: ReceivedRow[]) => {
    const [{ supplier, sku }] = receipts as [ReceivedRow]
    const line = toReceivedLine(receipts)
    if (!line) return
    add(supplier, sku, line)
    if (supplier !== null) add(supplier, '', line)
  }
  const open = new Map<string, ReceivedRow[]>()
  let document: string | null = null
  for await (const page of receiptPages(source, today)) {
    for (const row of page) {
      if (row.document !== document) {
        open.forEach(end)
        open.clear()
        document = row.document
      }
      const known = open.get(row.line)
      if (known) known.push(row)
      else open.set(row.line, [row])
    }
  }
  open.forEach(end)
  return found
}

function toReceivedLine(receipts: ReceivedRow[]): ReceivedLine | null {
  const receivedOn = dayOfReceipt(receipts)
  if (receivedOn === null) return null
  const day = (name: 'orderedOn' | 'due') => receipts.find((row) => row[name])?.[name] ?? null
  const [orderedOn, due] = [day('orderedOn'), day('due')]
  const leadTime = orderedOn === null ? null : daysBetween(orderedOn, receivedOn)
  return {
    // An order that was entered after its receipt says nothing about the lead time.
    leadTime: leadTime !== null && leadTime < 0 ? null : leadTime,
    delay: due === null ? null : daysBetween(due, receivedOn),
  }
}

/** Pages in the order of documents. The day is no condition of the query, since an index on it would sort each page again. */
async function* receiptPages(source: number, today: string): AsyncGenerator<ReceivedRow[]> {
  const from = addDays(today, -WINDOW_DAYS)
  // The ERP's day may be one ahead of the location's; later ones are typing errors.
  const to = addDays(today, 1)
  for (let [document, receipt] = ['', '']; ;) {
    const page = await readAs<ReceivedRow>(
      SELECT.from(Receipts)
        .columns('document', 'receipt', 'line', 'sku', 'supplier', 'orderedOn', 'due')
        .columns('receivedOn', 'quantity')
        .where`source.ID = ${source} and document >= ${document} and (document > ${document} or receipt > ${receipt})`
        .orderBy('document', 'receipt')
        .limit(PAGE),
    )
    yield page
      .filter(({ receivedOn }) => receivedOn >= from && receivedOn <= to)
      .map((row) => ({ ...row, quantity: Number(row.quantity) }))
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    ;[document, receipt] = [last.document, last.receipt]
  }
}

function toRow(source: number, key: string, lines: ReceivedLine[]) {
  const [supplier, sku] = key.split(SEPARATOR) as [string, string]
  const { leadTime, delay, shareLate, lateDays } = measureLines(lines)
  return {
    ...{ source_ID: source, supplier, sku, receipts: lines.length },
    ...{
      days: leadTime?.median,
      deviationDays: leadTime?.deviation,
      counted: leadTime?.count ?? 0,
    },
    ...{
      delayDays: delay?.median,
      delayDeviationDays: delay?.deviation,
      promised: delay?.count ?? 0,
    },
    ...{ shareLate, lateDays },
  }
}

interface Subject {
  sku: string
  supplier: string | null
}

type Stored = Row<LeadTime>

// The measured lead times, as calculations look them up.

/** The measured lead times of a source. */
export class LeadTimeBook {
  readonly #rows: Map<string, Stored>
  readonly #least = settings().leadTimeReceipts

  constructor(rows: Stored[]) {
    this.#rows = new Map(rows.map((row) => [keyOf(String(row.supplier), String(row.sku)), row]))
  }

  /** @param pairs limits the result to these pairs; absent for all */
  static async read(source: number, pairs?: readonly Subject[]): Promise<LeadTimeBook> {
    const only = pairs && {
      sku: isOneOf(pairs, ({ sku }) => sku, ''),
      supplier: isOneOf(pairs, ({ supplier }) => supplier ?? '', ''),
    }
    const rows = await readAs<Stored>(SELECT.from(LeadTimes).where({ source_ID: source, ...only }))
    return new LeadTimeBook(rows)
  }

  /**
   * The measured lead time of a pair, from receipts of the SKU by its supplier; or else the planned days and the usual delay
   * of all that the supplier delivers. Null with fewer receipts than `leadTimeReceipts`.
   * @param planned days; null if none are planned
   */
  of({ sku, supplier }: Subject, planned: number | null): MeasuredLeadTime | null {
    if (!this.#rows.size) return null
    const own = this.#rows.get(keyOf(supplier ?? '', sku)) ?? this.#rows.get(keyOf('', sku))
    if (own && Number(own.counted) >= this.#least) {
      return toMeasured(own, 'sku', Number(own.days), Number(own.deviationDays))
    }
    const all = this.#rows.get(keyOf(supplier ?? '', ''))
    if (!all || planned === null || Number(all.promised) < this.#least) return null
    const days = Math.max(0, planned + Number(all.delayDays))
    return toMeasured(all, 'supplier', days, Number(all.delayDeviationDays))
  }
}

const keyOf = (supplier: string, sku: string) => `${supplier}\u0000${sku}`

const tenth = (value: number) => Math.round(value * 10) / 10

function toMeasured(
  row: Stored,
  of: MeasuredLeadTime['of'],
  days: number,
  deviation: number,
): MeasuredLeadTime {
  const [shareLate, lateDays] = [toNumber(row.shareLate), toNumber(row.lateDays)]
  return {
    of,
    days: Math.round(days),
    deviationDays: tenth(deviation),
    receipts: Number(row.receipts),
    shareLate: shareLate === null ? null : Math.round(shareLate * 100) / 100,
    lateDays: lateDays === null ? null : Math.round(lateDays),
  }
}
