// How suppliers have kept their promises: receipts of a year, and orders that should have come, by supplier and month.
import cds from '@sap/cds'
import { byText } from '../../../../engine/index.ts'
import {
  addDays,
  dayOfReceipt,
  daysBetween,
  type PricedLine,
  priceChangesOf,
  type PromisedLine,
  type Scorecard,
  scorecardOf,
  withoutNoise,
} from '../../../../engine/proposal/index.ts'
import {
  CurrentOpenOrders,
  Proposals,
  readAs,
  Receipts,
  Sources,
} from '../../../base/database/entities.ts'
import { cutPage, type PageQuery } from '../../../base/database/rows.ts'
import { ROLES } from '../../../base/roles.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { restrictionOf } from '../../authority/index.ts'
import { assertRole } from '../readers.ts'

/** Promised days of so many days before today count. */
const WINDOW_DAYS = 365

export interface SupplierScorecard extends Scorecard {
  source: number
  supplier: string
  /** The median share of lines on time of the other suppliers; null where there is none. */
  peersOnTime: number | null
  /** What its uncertain lead times add to target stocks, in value, by currency: of the proposals that are open. */
  latenessStock: { currency: string; value: string }[]
  /** How much dearer the same goods became in a year, 0..1 or below 0; null where the source names no prices. */
  priceChange: number | null
  /** By the month of the promised day, `YYYY-MM`, ascending; of prices by that of the order. */
  months: (Scorecard & { month: string; priceChange: number | null })[]
}

interface ScorecardQuery extends PageQuery {
  supplier?: string
}

/** By supplier, of the orders that the user may see. @throws Refusal insufficient_scope */
export async function listScorecards({ supplier, ...asked }: ScorecardQuery) {
  assertRole(ROLES)
  const locations = restrictionOf(cds.context!.user)?.locations ?? null
  const sources = await readAs<{ ID: number }>(SELECT.from(Sources).columns('ID').orderBy('ID'))
  const rows: SupplierScorecard[] = []
  for (const { ID } of sources) rows.push(...(await scorecardsOf(Number(ID), supplier, locations)))
  return cutPage(rows, asked, positionOf)
}

/** Without lines where nothing with a promised day is known of it. @throws Refusal insufficient_scope */
export async function scorecardOfSupplier(
  source: number,
  supplier: string,
): Promise<SupplierScorecard> {
  assertRole(ROLES)
  const locations = restrictionOf(cds.context!.user)?.locations ?? null
  const [found] = await scorecardsOf(source, supplier, locations)
  const none = { peersOnTime: null, latenessStock: [], priceChange: null, months: [] }
  return found ?? { source, supplier, ...scorecardOf([]), ...none }
}

const positionOf = ({ source, supplier }: SupplierScorecard) => JSON.stringify([source, supplier])

async function scorecardsOf(
  source: number,
  supplier: string | undefined,
  locations: string[] | null,
): Promise<SupplierScorecard[]> {
  const lines = await promisedLines(source, locations)
  const peers = new Map([...lines].map(([name, own]) => [name, scorecardOf(own).onTime]))
  const names = [...lines.keys()].filter((name) => !supplier || name === supplier).sort(byText)
  const stock = await latenessStock(source, names, locations)
  const priced = await pricedLines(source, names, locations)
  return names.map((name): SupplierScorecard => {
    const own = lines.get(name)!
    const prices = priceChangesOf(priced.get(name) ?? [])
    const byMonth = Map.groupBy(own, ({ due }) => due.slice(0, 7))
    const months = [...new Set([...byMonth.keys(), ...prices.months.keys()])].sort(byText)
    return {
      ...{ source, supplier: name },
      ...scorecardOf(own),
      peersOnTime: median(
        [...peers].flatMap(([other, share]) => (other === name ? [] : (share ?? []))),
      ),
      latenessStock: stock(name),
      priceChange: prices.year,
      months: months.map((month) => ({
        ...{ month, ...scorecardOf(byMonth.get(month) ?? []) },
        priceChange: prices.months.get(month) ?? null,
      })),
    }
  })
}

interface ReceiptRow {
  document: string
  line: string
  supplier: string | null
  due: string | null
  receivedOn: string
  quantity: unknown
}

type OpenRow = Omit<ReceiptRow, 'receivedOn'>

/**
 * Lines by supplier whose promised day lies in the year before today, and those of it that came before their day though it lies
 * ahead. What was undone has not come; a line of which nothing stayed was cancelled, and tells nothing.
 */
async function promisedLines(source: number, locations: string[] | null) {
  const today = (await readLocalDays(source)).usual
  const from = addDays(today, -WINDOW_DAYS)
  const seen = locations && { location: { in: locations } }
  const receipts = await readAs<ReceiptRow>(
    SELECT.from(Receipts)
      .columns('document', 'line', 'supplier', 'due', 'receivedOn', 'quantity')
      .where({ source_ID: source, supplier: { '!=': null }, due: { '>=': from }, ...seen }),
  )
  const open = await readAs<OpenRow>(
    SELECT.from(CurrentOpenOrders)
      .columns('document', 'line', 'supplier', 'due', 'quantity')
      .where({ source_ID: source, supplier: { '!=': null }, due: { '>=': from }, ...seen }),
  )
  const keyOf = ({ document, line }: OpenRow) => JSON.stringify([document, line])
  const openOf = Map.groupBy(open, keyOf)
  const found = new Map<string, PromisedLine[]>()
  const add = (supplier: string, line: PromisedLine | null) => {
    if (line) found.set(supplier, [...(found.get(supplier) ?? []), line])
  }
  const bySupplier = Map.groupBy(
    [...Map.groupBy(receipts, keyOf)],
    ([, [first]]) => first!.supplier!,
  )
  for (const [supplier, own] of bySupplier)
    found.set(
      supplier,
      own.flatMap(([key, rows]) => lineOf(rows, openOf.get(key) ?? [], today) ?? []),
    )
  const received = new Set(receipts.map(keyOf))
  for (const [key, rows] of openOf)
    if (!received.has(key)) add(rows[0]!.supplier!, lineOf([], rows, today))
  return found
}

function lineOf(receipts: ReceiptRow[], open: OpenRow[], today: string): PromisedLine | null {
  const due = [...receipts, ...open].find((row) => row.due)!.due!
  const sum = (rows: OpenRow[]) =>
    withoutNoise(rows.reduce((units, { quantity }) => units + Number(quantity), 0))
  const [received, left] = [sum(receipts), sum(open)]
  const lines = receipts
    .filter(({ receivedOn }) => receivedOn <= addDays(today, 1))
    .map(({ receivedOn, quantity }) => ({ receivedOn, quantity: Number(quantity) }))
  const day = dayOfReceipt(lines)
  // Most of it is still to come.
  const receivedOn = day !== null && received >= left ? day : null
  if (receivedOn === null && (left === 0 || due >= today)) return null
  return {
    ...{ due, receivedOn, received, open: left },
    delay: daysBetween(due, receivedOn ?? today),
    inTime: sum(receipts.filter((row) => row.receivedOn <= due)),
  }
}

interface PricedRow {
  sku: string
  supplier: string
  orderedOn: string | null
  due: string | null
  quantity: unknown
  unitCost: unknown
  /** Of open orders alone. */
  currency?: string | null
}

/** Prices by supplier, of what was ordered in the year before today; undone receipts tell none. */
async function pricedLines(source: number, suppliers: string[], locations: string[] | null) {
  const from = addDays((await readLocalDays(source)).usual, -WINDOW_DAYS)
  const found = new Map<string, PricedLine[]>()
  if (!suppliers.length) return found
  for (const entity of [Receipts, CurrentOpenOrders]) {
    const rows = await readAs<PricedRow>(
      SELECT.from(entity)
        .columns(
          ...['sku', 'supplier', 'orderedOn', 'due', 'quantity', 'unitCost'],
          ...(entity === CurrentOpenOrders ? ['currency'] : []),
        )
        .where({
          ...{ source_ID: source, supplier: { in: suppliers }, unitCost: { '!=': null } },
          ...{ quantity: { '>': 0 }, ...(locations && { location: { in: locations } }) },
        }),
    )
    for (const { sku, supplier, orderedOn, due, quantity, unitCost, currency } of rows) {
      const day = orderedOn ?? due
      if (day === null || day < from) continue
      const line = { sku, day, quantity: Number(quantity), unitCost: Number(unitCost), currency }
      const own = found.get(supplier)
      if (own) own.push(line)
      else found.set(supplier, [line])
    }
  }
  return found
}

/** Lead time safety, and what a lead time beyond the planned one holds, is a part of what is proposed: by value. */
async function latenessStock(source: number, suppliers: string[], locations: string[] | null) {
  const rows = suppliers.length
    ? await readAs<{
        supplier: string
        currency: string | null
        unitCost: unknown
        further: unknown
      }>(
        SELECT.from(Proposals)
          .columns('supplier', 'currency', 'unitCost', 'calculation_further as further')
          .where({
            ...{
              source_ID: source,
              status: 'pending',
              kind: 'purchase',
              supplier: { in: suppliers },
            },
            ...(locations && { location: { in: locations } }),
          }),
      )
    : []
  const sums = new Map<string, Map<string, number>>()
  for (const { supplier, currency, unitCost, further } of rows) {
    const text = typeof further === 'string' ? further : JSON.stringify(further ?? {})
    const { leadTimeSafety = 0 } = JSON.parse(text) as { leadTimeSafety?: number }
    if (!leadTimeSafety || unitCost == null || !currency) continue
    const own = sums.get(supplier) ?? new Map<string, number>()
    own.set(
      currency,
      (own.get(currency) ?? 0) + Math.round(leadTimeSafety * Number(unitCost) * 100),
    )
    sums.set(supplier, own)
  }
  return (supplier: string) =>
    [...(sums.get(supplier) ?? [])]
      .map(([currency, cents]) => ({ currency, value: (cents / 100).toFixed(2) }))
      .sort((a, b) => byText(a.currency, b.currency))
}

function median(values: number[]): number | null {
  if (!values.length) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
