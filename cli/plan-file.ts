import { LEARNING_DAYS, MAX_HORIZON_DAYS, PLAN_KINDS, PlanBook } from '../engine/index.ts'
import type { EpochDay, PlannedEvent, PlanKind } from '../engine/index.ts'
import { isNoDay } from '../tables/dates.ts'
import type { DeclaredFormats, Formats } from '../tables/formats.ts'
import { codeFrom, dayReader, numberOf, promoOf } from './offline/cells.ts'
import type { Pair } from './offline/pairs.ts'
import { type SharedPlans, sharePlans } from './offline/histories.ts'
import { BadRow, readTable } from './offline/table-file.ts'

const COLUMNS = {
  required: ['from', 'kind'],
  or: ['sku', 'location', 'date', 'promo'],
  optional: ['sku', 'location', 'group', 'to', 'factor', 'date', 'promo'],
}
const KINDS = new Map([
  ['from', 'date'],
  ['to', 'date'],
  ['date', 'date'],
  ['factor', 'number'],
] as const)
const MAX_FACTOR = 100

/**
 * Reads what is planned: a row for some days, with columns `from` and `kind` and optionally `sku`, `location`, `to`,
 * `factor`; or a row for each day with a promotion, with columns `sku,location,date,promo`. An empty cell of
 * `sku` or `location` is for all of them; rows of groups concern none, because a history names no groups.
 * @param asOf the days that are forecast from
 * @throws HistoryError `line N: …` at the first invalid row
 */
export async function readPlanFile(
  path: string,
  pairs: readonly Pair[],
  asOf: readonly EpochDay[],
  declared: DeclaredFormats = {},
): Promise<SharedPlans> {
  const events: PlannedEvent[] = []
  await readTable(path, { columns: COLUMNS, kinds: KINDS, declared }, (columns, formats) => {
    const cellsOf = (cells: string[]) => (name: string) => cells[columns.get(name) ?? -1] ?? ''
    const read = columns.has('kind') ? rangeReader(formats) : promotionReader(formats)
    return (cells) => {
      const event = read(cellsOf(cells))
      if (event) events.push(event)
    }
  })
  const until = events.reduce(
    (last, { kind, to }) => (kind === 'promotion' ? Math.max(last, to + 1) : last),
    -Infinity,
  )
  const promotionsUntil = until > -Infinity ? until : null
  const book = new PlanBook(events, {
    from: Math.min(...asOf) - LEARNING_DAYS,
    to: Math.max(...asOf) + MAX_HORIZON_DAYS,
    promotionsUntil,
  })
  return sharePlans(
    pairs.map((pair) => book.planOf(pair)),
    promotionsUntil,
  )
}

/** Takes a row's cells by the names of their columns. @throws BadRow */
type RowReader = (cell: (name: string) => string) => PlannedEvent | null

const pairOf = (cell: (name: string) => string) => ({
  sku: codeFrom('sku', cell('sku')),
  location: codeFrom('location', cell('location')),
})

/** Of the rows of a day without a promotion one tells that it is known: a promotion of no effect, for all. */
function promotionReader(formats: Formats): RowReader {
  const dayOf = dayReader(formats, 'date')
  const quiet = new Set<EpochDay>()
  return (cell) => {
    const day = dayOf(cell('date'))
    const event = { kind: 'promotion' as const, from: day, to: day, group: '' }
    if (promoOf(cell('promo'))) return { ...event, ...pairOf(cell), factor: null }
    if (quiet.has(day)) return null
    quiet.add(day)
    return { ...event, sku: '', location: '', factor: 1 }
  }
}

function rangeReader(formats: Formats): RowReader {
  const [firstOf, lastOf] = [dayReader(formats, 'from'), dayReader(formats, 'to')]
  return (cell) => {
    const from = firstOf(cell('from'))
    const to = isNoDay(cell('to').trim()) ? from : lastOf(cell('to'))
    if (to < from) throw new BadRow(`it ends before it begins: ${cell('to')}`)
    const kind = cell('kind').trim().toLowerCase() as PlanKind
    if (!PLAN_KINDS.includes(kind))
      throw new BadRow(`no kind: ${JSON.stringify(cell('kind'))}; ${PLAN_KINDS.join(', ')}`)
    const factor = cell('factor').trim() ? numberOf(formats, 'factor', cell('factor')) : null
    if (factor !== null && !(factor >= 0 && factor <= MAX_FACTOR))
      throw new BadRow(`factor ${factor} is not within 0 and ${MAX_FACTOR}`)
    return {
      ...{ kind, from, to, factor },
      ...{ ...pairOf(cell), group: codeFrom('group', cell('group')) },
    }
  }
}
