// What following the proposals comes to, month by month: planned against what came, and what decisions were worth.
import cds from '@sap/cds'
import { byText } from '../../../../engine/index.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { MeasuredMonths, MeasuredValues, readAs, Sources } from '../../../base/database/entities.ts'
import { cutPage, type PageQuery } from '../../../base/database/rows.ts'
import { ROLES } from '../../../base/roles.ts'
import { beginningOf, dayOf, today } from '../../../base/time/days.ts'
import { boundsOf, isOneOf, joined, type Predicate, visibleTo } from '../../authority/index.ts'
import { type Measured, monthsBefore } from '../run/measured-values.ts'
import { assertRole } from '../readers.ts'
import { type DecisionGroup, decisionsOfMonth, peopleSeen } from './decided.ts'

/** Below so many measured days a month says nothing. */
const LEAST_DAYS = 14
/** Months that are told unless others are asked for. */
const USUAL_MONTHS = 12

/** A figure as planned on the first measured day, of as many days as were measured; null where nothing was planned. */
export interface Beside<T> {
  planned: T | null
  came: T
}

export interface MonthMoney {
  currency: string
  /** Mean value of the stock; decimal strings. */
  stockValue: Beside<string>
  /** What it cost to carry it, and to be short, at the costs that were in force. */
  carryingCost: Beside<string>
  shortageCost: Beside<string>
  /** 0..1: of the value of expected demand what found stock; null where it was not measured, or for a part of the days alone. */
  fillRate: Beside<number | null>
}

export interface MonthFigures {
  /** Mean number of pairs that could be ordered, and of them of those without a unit cost, which are in no money. */
  pairs: number
  withoutCost: number
  /** 0..1: of their days those with nothing on hand. */
  stockouts: Beside<number>
  /** Units that the forecast expected of those days. */
  unitsShort: Beside<number>
  money: MonthMoney[]
}

export interface ValueMonth {
  source: number
  /** The name of its connection. */
  account: string
  /** `YYYY-MM`. */
  month: string
  /** Days that were measured, the first and the last of them. */
  days: number
  firstDay: string | null
  lastDay: string | null
  /** Why there are no figures: null where there are. */
  lacks: 'not_measured' | 'too_few_days' | null
  figures: MonthFigures | null
  lines: MonthLines
  decisions: DecisionGroup[]
}

/** Proposals of the month: made in it; decided in it; and of those approved what has become an order of the ERP. */
interface MonthLines {
  proposed: number
  approved: number
  edited: number
  rejected: number
  ordered: number
}

interface MonthsQuery extends PageQuery {
  source?: number
  /** Months, `YYYY-MM`; `to` inclusive. */
  from?: string
  to?: string
}

interface Place {
  source: number
  account: string
  month: string
}

/**
 * The newest month first, of each source. Unless months are asked for those of a year, from the first of which anything is known.
 */
export async function listMonths({ after, limit, ...query }: MonthsQuery) {
  assertRole(ROLES)
  const { user } = cds.context!
  return runDetached('report', async () => {
    // What is read before would hold SQLite's one connection.
    const [bounds, visible] = [await boundsOf(user), await visibleTo(user)]
    const seen = await peopleSeen(user)
    const measured = await readMonths(query.source)
    const places = await placesOf(query, measured, visible)
    const { data, next } = cutPage(places, { after, limit }, positionOf)
    const rows = await readValues(data, bounds && joined(bounds.map(toPredicate), 'or'))
    const months: ValueMonth[] = []
    for (const place of data) {
      const month = measured.get(positionOf(place))
      const decisions = await decisionsOfMonth(place, visible, seen)
      const lines = await linesOf(place, decisions, visible)
      const row = toMonth(place, month, rows.get(positionOf(place)) ?? [])
      months.push({ ...row, lines, decisions })
    }
    return { data: months, next }
  })
}

const positionOf = ({ source, month }: Pick<Place, 'source' | 'month'>) => `${month} ${source}`

interface MonthRow {
  source_ID: number
  month: string
  firstDay: string
  lastDay: string
  days: number
  plannedDays: number
}

async function readMonths(source?: number) {
  const rows = await readAs<MonthRow>(
    SELECT.from(MeasuredMonths).where(source === undefined ? {} : { source_ID: source }),
  )
  return new Map(
    rows.map((row) => [positionOf({ source: Number(row.source_ID), month: row.month }), row]),
  )
}

async function placesOf(
  { source, from, to = today().slice(0, 7) }: Omit<MonthsQuery, 'after' | 'limit'>,
  measured: Map<string, MonthRow>,
  visible: Predicate | null,
): Promise<Place[]> {
  const sources = await readAs<{ ID: number; account: string | null }>(
    SELECT.from(Sources)
      .columns('ID', 'account')
      .where(source === undefined ? {} : { ID: source })
      .orderBy('ID'),
  )
  const places: Place[] = []
  for (const { ID, account } of sources) {
    const own = [...measured.values()].filter(({ source_ID }) => Number(source_ID) === Number(ID))
    const decided = from === undefined ? await firstDecision(Number(ID), visible) : null
    const known = [...own.map(({ month }) => month), decided ?? to].sort(byText)[0]!
    const earliest = monthsBefore(to, USUAL_MONTHS - 1)
    const first = from ?? (known > earliest ? known : earliest)
    for (let month = to; month >= first; month = monthsBefore(month, 1))
      places.push({ source: Number(ID), account: account ?? '', month })
  }
  return places.sort((a, b) => byText(b.month, a.month) || a.source - b.source)
}

/** The month of the first decision of a source; null where nothing was decided. */
async function firstDecision(source: number, visible: Predicate | null) {
  const query = SELECT.from('restock.Proposals')
    .columns('min(decidedAt) as first')
    .where({ source_ID: source, decidedAt: { '!=': null } })
  if (visible) void query.where(visible)
  const [row] = (await query) as unknown as { first: string | Date | null }[]
  return row?.first ? dayOf(new Date(row.first).toISOString()).slice(0, 7) : null
}

async function linesOf(
  { source, month }: Place,
  decisions: readonly DecisionGroup[],
  visible: Predicate | null,
): Promise<MonthLines> {
  const [from, to] = [month, monthsBefore(month, -1)].map((each) => beginningOf(`${each}-01`))
  const count = async (day: 'createdAt' | 'decidedAt', where: object = {}) => {
    const query = SELECT.from('restock.Proposals')
      .columns('count(*) as count')
      .where({ source_ID: source, ...where })
      .where({ [day]: { '>=': from } })
      .where({ [day]: { '<': to } })
    if (visible) void query.where(visible)
    const [row] = (await query) as unknown as { count: number | string }[]
    return Number(row?.count ?? 0)
  }
  const decided = (what: DecisionGroup['what']) =>
    decisions.reduce((sum, group) => sum + (group.what === what ? group.lines : 0), 0)
  return {
    proposed: await count('createdAt'),
    approved: decided('unchanged'),
    edited: decided('edited'),
    rejected: decided('rejected'),
    ordered: await count('decidedAt', { status: 'ordered' }),
  }
}

/** The sums by currency. @param visible null for all locations and groups */
async function readValues(places: Place[], visible: Predicate | null) {
  if (!places.length) return new Map<string, SumRow[]>()
  const query = SELECT.from(MeasuredValues)
    .columns('source_ID', 'month', 'currency', ...SUMS.map((name) => `sum(${name}) as ${name}`))
    .where({
      source_ID: { in: [...new Set(places.map(({ source }) => source))] },
      month: { in: [...new Set(places.map(({ month }) => month))] },
    })
    .groupBy('source_ID', 'month', 'currency')
    .orderBy('currency')
  if (visible) void query.where(visible)
  const rows = (await query) as unknown as SumRow[]
  return Map.groupBy(rows, ({ source_ID, month }) =>
    positionOf({ source: Number(source_ID), month }),
  )
}

/** As they were when they were measured: a group that a SKU has joined since does not count. */
const toPredicate = ({
  locations,
  groups,
}: NonNullable<Awaited<ReturnType<typeof boundsOf>>>[number]) =>
  joined(
    [
      ...(locations ? [isOneOf('location', locations)] : []),
      ...(groups ? [isOneOf('skuGroup', groups.filter(Boolean))] : []),
    ],
    'and',
  )

const SUMS = [
  ...(['pairDays', 'uncostedDays', 'stockoutDays', 'unitsShort'] as const),
  ...(['stockValue', 'shortageCost', 'carryingCost', 'demandValue', 'shortValue'] as const),
  ...(['plannedPairDays', 'plannedStockoutDays', 'plannedUnitsShort'] as const),
  ...(['plannedStockValue', 'plannedShortageCost', 'plannedCarryingCost'] as const),
  ...(['plannedDemandValue', 'plannedShortValue'] as const),
] as const satisfies readonly (keyof Measured)[]
type Sum = (typeof SUMS)[number]

/** As read from the database, which may return numbers as text. */
type SumRow = { source_ID: number; month: string; currency: string } & Record<Sum, number | string>

function toMonth(place: Place, month: MonthRow | undefined, rows: SumRow[]) {
  const days = Number(month?.days ?? 0)
  const isMeasured = month !== undefined && rows.length > 0
  const lacks = !isMeasured ? 'not_measured' : days < LEAST_DAYS ? 'too_few_days' : null
  return {
    ...({ ...place, days: isMeasured ? days : 0, lacks } as const),
    firstDay: isMeasured ? month.firstDay : null,
    lastDay: isMeasured ? month.lastDay : null,
    figures: lacks ? null : toFigures(month!, rows),
  } satisfies Omit<ValueMonth, 'lines' | 'decisions'>
}

function toFigures(month: MonthRow, rows: SumRow[]): MonthFigures {
  const [days, plannedDays] = [Number(month.days), Number(month.plannedDays)]
  const sum = (name: Sum) => rows.reduce((total, row) => total + Number(row[name]), 0)
  const isPlanned = sum('plannedPairDays') > 0
  const beside = <T>(came: T, planned: () => T): Beside<T> => ({
    planned: isPlanned ? planned() : null,
    came,
  })
  const share = days / plannedDays
  return {
    pairs: Math.round(sum('pairDays') / days),
    withoutCost: Math.round(sum('uncostedDays') / days),
    stockouts: beside(rounded(sum('stockoutDays') / sum('pairDays'), 4), () =>
      rounded(sum('plannedStockoutDays') / sum('plannedPairDays'), 4),
    ),
    unitsShort: beside(rounded(sum('unitsShort'), 1), () =>
      rounded(share * sum('plannedUnitsShort'), 1),
    ),
    money: rows
      .filter(
        (row) =>
          Number(row.stockValue) || Number(row.shortageCost) || Number(row.plannedStockValue),
      )
      .map((row) => ({
        currency: row.currency,
        stockValue: beside(cents(Number(row.stockValue) / days), () =>
          cents(Number(row.plannedStockValue) / plannedDays),
        ),
        carryingCost: beside(cents(row.carryingCost), () =>
          cents(share * Number(row.plannedCarryingCost)),
        ),
        shortageCost: beside(cents(row.shortageCost), () =>
          cents(share * Number(row.plannedShortageCost)),
        ),
        fillRate: toFillRate(row),
      })),
  }
}

/** Null where demand was measured on none of the days, or on a part of them: it was not yet when the month was planned. */
function toFillRate(row: SumRow): Beside<number | null> {
  const planned = fillRate(row.plannedShortValue, row.plannedDemandValue)
  const isOfPart = planned === null && Number(row.plannedPairDays) > 0
  return { planned, came: isOfPart ? null : fillRate(row.shortValue, row.demandValue) }
}

const fillRate = (short: number | string | null, demand: number | string | null) =>
  Number(demand) > 0 ? rounded(1 - Number(short) / Number(demand), 4) : null

const rounded = (value: number, places: number) => Number(value.toFixed(places))
const cents = (value: number | string) => Number(value).toFixed(2)
