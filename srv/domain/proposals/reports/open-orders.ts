import cds from '@sap/cds'
import { byText } from '../../../../engine/index.ts'
import { addDays } from '../../../../engine/proposal/index.ts'
import { CurrentDrafts, Proposals, readAs } from '../../../base/database/entities.ts'
import { cutPage, type PageQuery } from '../../../base/database/rows.ts'
import { ROLES } from '../../../base/roles.ts'
import { isDueNow, readAllLocalDays, readLocalDays } from '../../../base/time/days.ts'
import { type Predicate, restrictionOf } from '../../authority/index.ts'
import { assertRole, rowsOfReader } from '../readers.ts'
import { type Draft, readDrafts } from '../terms/drafts.ts'
import { supplierTermsOf } from './supplier-terms.ts'
import { within } from './value-report.ts'

/** The key of an order, with a location if orders of that location are placed apart. */
export interface OrderKey {
  source: number
  supplier: string
  /** Null for the common order of all locations without one of their own. */
  location: string | null
  currency: string | null
}

/** The open proposals of an order; money as decimal strings. */
export interface OpenOrder extends OrderKey {
  lines: number
  /** The value of lines with a known cost. */
  value: string
  /** Lines that must be ordered by today. */
  dueLines: number
  dueValue: string
  valueAtRisk: string
  /** The earliest day by which a line must be ordered. */
  orderBy: string | null
}

/** The lines of a supplier's order that must be ordered by the same coming day. */
interface OrderDeadline extends OrderKey {
  /** The day by which these lines must be ordered. */
  day: string
  lines: number
  value: string
}

/** As read from the database, which may return numbers as text. */
interface Group {
  source_ID: number
  supplier: string
  location: string
  currency: string | null
  lines: number | string
  value: number | string | null
  valueAtRisk: number | string | null
  orderBy: string | null
}

interface Sum extends Group {
  dueLines: number | string
  dueValue: number | string | null
}

/** Purchase proposals that wait for a decision. */
export const isOpenPurchase = () => ({
  ...{ status: 'pending' as const, kind: 'purchase' as const },
  supplier: { '!=': null },
})

/** The open orders, by the cost of waiting, highest first. */
export async function listOpenOrders(): Promise<OpenOrder[]> {
  const orders = await byOrder(await readSums(await rowsOfReader()))
  return orders.map(toOrder).sort(byRisk)
}

/** The coming deadlines of orders, up to `days` ahead: each order with each day by which some of its lines must be ordered. */
export async function listDeadlines(days: number): Promise<OrderDeadline[]> {
  const visible = await rowsOfReader()
  const local = await readAllLocalDays()
  const all = [...local.values()]
  const [first] = all.map((each) => each.first).sort()
  const last = all
    .map((each) => each.last)
    .sort()
    .at(-1)
  if (!first || !last) return []
  const orderBy = { between: addDays(first, 1), and: addDays(last, days) }
  const groups = (await readGroups(visible, { orderBy }, ['orderBy'])).filter(
    ({ source_ID, location, orderBy: day }) => {
      const today = local.get(Number(source_ID))?.of(location) ?? first
      return day! > today && day! <= addDays(today, days)
    },
  )
  const orders = await byOrder(groups, (group) => group.orderBy)
  return orders
    .map((sums) => {
      const { source, supplier, location, currency, lines, value, orderBy } = toOrder(
        sums.map((sum) => ({ ...sum, dueLines: 0, dueValue: 0 })),
      )
      return { source, supplier, location, currency, lines, value, day: orderBy! }
    })
    .sort((a, b) => byText(a.day, b.day) || Number(b.value) - Number(a.value))
}

/** Groups lines into orders, as the terms of the supplier require. */
async function byOrder<G extends Group>(groups: G[], more: (group: G) => unknown = () => '') {
  const orders = new Map<string, G[]>()
  for (const [source, ofSource] of Map.groupBy(groups, ({ source_ID }) => source_ID)) {
    const orderLocation = await orderLocations(source, [
      ...new Set(ofSource.map((sum) => sum.supplier)),
    ])
    for (const sum of ofSource) {
      const location = orderLocation(sum.supplier, sum.location)
      const key = JSON.stringify([source, sum.supplier, location, sum.currency, more(sum)])
      orders.set(key, [...(orders.get(key) ?? []), { ...sum, location: location ?? '' }])
    }
  }
  return [...orders.values()]
}

/** The sums of due lines come from a second query. */
async function readSums(visible: Predicate | null): Promise<Sum[]> {
  const all = await readGroups(visible)
  const due = await readGroups(visible, await isDueNow())
  const dueOf = new Map(due.map((group) => [groupOf(group), group]))
  return all.map((group) => {
    const { lines = 0, value = 0, valueAtRisk = 0 } = dueOf.get(groupOf(group)) ?? {}
    return { ...group, dueLines: lines, dueValue: value, valueAtRisk }
  })
}

const groupOf = ({ source_ID, supplier, location, currency }: Group) =>
  JSON.stringify([source_ID, supplier, location, currency])

async function readGroups(
  visible: Predicate | null,
  where: object | null = null,
  more: string[] = [],
): Promise<Group[]> {
  const query = SELECT.from(Proposals)
    .columns(
      ...(['source_ID', 'supplier', 'location', 'currency', 'count(*) as lines'] as const),
      ...(['sum(value) as value', 'sum(valueAtRisk) as valueAtRisk'] as const),
      'min(orderBy) as orderBy',
    )
    .where(isOpenPurchase())
    .groupBy('source_ID', 'supplier', 'location', 'currency', ...more)
  if (where) void query.where(where)
  return readAs<Group>(within(query, visible))
}

/** Tells which order a location's lines belong to: that of the location, or (null) the common one. */
export async function orderLocations(source: number, suppliers: string[]) {
  const terms = await supplierTermsOf({ source, suppliers }, null)
  const bySupplier = Map.groupBy(terms, ({ supplier }) => supplier)
  return (supplier: string, location: string): string | null => {
    const orders = bySupplier.get(supplier) ?? []
    const isApart = orders.some((each) => each.location === location || each.byLocation)
    return isApart ? location : null
  }
}

function toOrder(sums: Sum[]): OpenOrder {
  const [{ source_ID: source, supplier, location, currency }] = sums as [Sum]
  const total = (name: 'lines' | 'dueLines' | 'value' | 'dueValue' | 'valueAtRisk') =>
    sums.reduce((sum, each) => sum + Number(each[name] ?? 0), 0)
  return {
    ...{ source, supplier, location: location || null, currency },
    ...{ lines: total('lines'), dueLines: total('dueLines') },
    value: total('value').toFixed(2),
    dueValue: total('dueValue').toFixed(2),
    valueAtRisk: total('valueAtRisk').toFixed(2),
    orderBy: sums.flatMap(({ orderBy }) => orderBy ?? []).sort()[0] ?? null,
  }
}

const byRisk = (a: OpenOrder, b: OpenOrder) =>
  Number(b.valueAtRisk) - Number(a.valueAtRisk) || byText(nameOf(a), nameOf(b))

const nameOf = ({ supplier, location, currency, source }: OrderKey) =>
  [supplier, location, currency, source].join('\u0000')

// What lies in the ERPs before an order, as a list.

interface DraftQuery extends PageQuery {
  sku?: string
  location?: string
  supplier?: string
  kind?: string
}

const positionOf = ({ source_ID: source, document, line }: Draft) =>
  JSON.stringify([source, document, line])

/** Drafts and contracts of which something is left and that the user may see, by source and number. @throws Refusal insufficient_scope */
export async function listDrafts({ after, limit, ...wanted }: DraftQuery) {
  assertRole(ROLES)
  const rows = await readAs<{ source_ID: number; sku: string; location: string }>(
    SELECT.distinct.from(CurrentDrafts).columns('source_ID', 'sku', 'location').where(wanted),
  )
  const seen = restrictionOf(cds.context!.user)
  const drafts: Draft[] = []
  for (const [source, pairs] of Map.groupBy(rows, (row) => Number(row.source_ID))) {
    const days = await readLocalDays(source)
    drafts.push(...(await readDrafts(source, days, pairs)))
  }
  const visible = drafts
    .filter((draft) =>
      Object.entries(wanted).every(([name, value]) => draft[name as 'sku'] === value),
    )
    .filter(({ location }) => !location || !seen?.locations || seen.locations.includes(location))
    .sort((a, b) => a.source_ID - b.source_ID)
  return cutPage(visible, { after, limit }, positionOf)
}
