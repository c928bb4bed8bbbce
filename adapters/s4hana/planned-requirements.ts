// Planned independent requirements, the ERP's own forecast: what is active for the periods that begin in the next months.
import { names } from '../rows/names.ts'
import type { Cursor, Page, Stream } from '../adapter.ts'
import { dayLiteral } from '../odata/query.ts'
import { withFilter } from '../odata/reader.ts'
import { batchOf, type Batch, progressOf, readAhead, stateIn } from '../rows/pages.ts'
import { addDays, dayText } from '../rows/days.ts'
import type { RequirementItemRow, RequirementRow } from './entities.ts'
import { withRemedy } from './optional.ts'
import { MOST_PRODUCTS, readProducts } from './scope.ts'
import { PLANNED_REQUIREMENT } from './services.ts'
import type { System } from './system.ts'
import { toErpForecast } from './to-erp-forecast.ts'

/** Periods that begin later are read when they come nearer: only what was read last before a period counts. */
const DAYS_AHEAD = 100

/** The cursor: items changed from this day on are read, and those of periods after `until`. */
interface State {
  from: string
  until: string
}

export function plannedRequirements(system: System): Stream<'erpForecasts'> {
  return {
    record: 'erpForecasts',
    cursor: 'changedAt',
    isRequired: false,
    isOptional: true,
    async *read(since, signal) {
      signal.throwIfAborted()
      try {
        for await (const page of readAhead(
          (inner) => readRequirements(system, since, inner),
          signal,
        )) {
          signal.throwIfAborted()
          yield page
        }
      } catch (error) {
        throw withRemedy(error, 'planned_requirements')
      }
    },
  }
}

async function* readRequirements(
  system: System,
  since: Cursor | null,
  signal: AbortSignal,
): AsyncGenerator<Page<'erpForecasts'>> {
  const before = stateIn<State>(since, ({ from, until }) => Boolean(from && until))
  const today = dayText((await system.probe(REQUIREMENT_ITEMS, signal)).getTime())
  const until = addDays(today, DAYS_AHEAD)
  // A day earlier: the ERP dates changes by a clock of its own.
  const cursor: Cursor = JSON.stringify({ from: addDays(today, -1), until } satisfies State)
  const ahead = `WorkingDayDate gt ${dayLiteral(today)} and WorkingDayDate le ${dayLiteral(until)}`
  const products = before && (await readChanged(system, before, ahead, signal))
  let [done, total]: [number, number | null] = [0, products ? products.size : null]
  const items = withFilter(REQUIREMENT_ITEMS, ahead)
  const pageOf = (rows: RequirementItemRow[], active: ReadonlySet<string>) => {
    const batch = sumsOf(rows.filter((row) => active.has(requirementKey(row))))
    return { ...batch, cursor: before ? since! : '{}', progress: progressOf({ done, total }) }
  }
  if (products && products.size <= MOST_PRODUCTS) {
    const some = <Row extends object>(query: Parameters<typeof withFilter>[0]) =>
      readProducts<Row>(system, query, 'Product', products, signal)
    const [headers, rows] = await Promise.all([
      some<RequirementRow>(REQUIREMENTS),
      some<RequirementItemRow>(items),
    ])
    done = products.size
    yield pageOf(rows, activeOf(headers))
  } else {
    const active = activeOf(await system.all<RequirementRow>(REQUIREMENTS, signal))
    // Rows are in the order of their products: those of the last one may go on with the next page.
    let open: RequirementItemRow[] = []
    for await (const page of system.pages<RequirementItemRow>(items, {}, signal)) {
      done += page.rows.length
      total ??= page.total
      const last = page.rows.at(-1)?.Product
      const rows = [...open, ...page.rows]
      open = rows.filter(({ Product }) => Product === last)
      yield pageOf(
        rows.filter(({ Product }) => Product !== last),
        active,
      )
    }
    yield pageOf(open, active)
  }
  yield { records: [], quarantined: [], cursor, progress: progressOf({ done, total }) }
}

/** Products of items that were changed, or whose period has come near, since the last read. */
async function readChanged(
  system: System,
  { from, until }: State,
  ahead: string,
  signal: AbortSignal,
): Promise<Set<string>> {
  const isNew = `LastChangeDate ge ${dayLiteral(from)} or WorkingDayDate gt ${dayLiteral(until)}`
  const query = withFilter(withFilter(PRODUCTS_OF_ITEMS, ahead), isNew)
  const rows = await system.all<{ Product: string }>(query, signal)
  return new Set(rows.map(({ Product }) => Product))
}

const activeOf = (rows: readonly RequirementRow[]): ReadonlySet<string> =>
  new Set(rows.filter(({ PlndIndepRqmtIsActive: active }) => active).map(requirementKey))

/** Requirements of several types, plans, segments and MRP areas of a plant are one forecast of the period. */
function sumsOf(rows: RequirementItemRow[]): Batch<'erpForecasts'> {
  const batch = batchOf<'erpForecasts', RequirementItemRow>(
    rows,
    toErpForecast,
    ({ Product, Plant, WorkingDayDate }) =>
      `PlannedIndepRqmtItem('${Product}','${Plant}',${WorkingDayDate})`,
  )
  const sums = new Map<string, (typeof batch.records)[number]>()
  for (const record of batch.records) {
    const { sku, location, firstDay, lastDay, quantity } = record
    const key = JSON.stringify([sku, location, firstDay])
    const known = sums.get(key)
    // A period that is planned by days or weeks is not planned by its month once more.
    if (!known || lastDay < known.lastDay) sums.set(key, record)
    else if (lastDay === known.lastDay)
      sums.set(key, { ...known, quantity: Math.round((known.quantity + quantity) * 1000) / 1000 })
  }
  return { ...batch, records: [...sums.values()] }
}

// The rows of planned independent requirements, as descriptions of the service have them.

const HEADER_KEY = names(
  'Product Plant MRPArea PlndIndepRqmtType PlndIndepRqmtVersion RequirementPlan RequirementSegment',
)

const REQUIREMENTS = {
  service: PLANNED_REQUIREMENT,
  set: 'PlannedIndepRqmt',
  key: HEADER_KEY,
  select: [...HEADER_KEY, 'PlndIndepRqmtIsActive'],
}

export const REQUIREMENT_ITEMS = {
  service: PLANNED_REQUIREMENT,
  set: 'PlannedIndepRqmtItem',
  key: [...HEADER_KEY, 'PlndIndepRqmtPeriod', 'PeriodType'],
  select: [...HEADER_KEY, 'PeriodType', 'WorkingDayDate', 'PlannedQuantity'],
}

/** Which products have rows. */
const PRODUCTS_OF_ITEMS = {
  ...REQUIREMENT_ITEMS,
  select: [...REQUIREMENT_ITEMS.key],
}

/** The key of a requirement in sets. */
const requirementKey = (row: object): string =>
  HEADER_KEY.map((field) => String((row as Record<string, unknown>)[field] ?? '')).join('\n')
