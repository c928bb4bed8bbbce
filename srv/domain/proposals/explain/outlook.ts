// The value of the stock, and how often there was any. Only a sync changes either.
import { toDate, toEpochDay } from '../../../../engine/index.ts'
import {
  addDays,
  demandByWeek,
  type ProposalInput,
  type Risk as QuantityRisk,
  riskCurve,
} from '../../../../engine/proposal/index.ts'
import { loadHistories } from '../../../base/database/demand/histories.ts'
import {
  PairPlanning,
  readAs,
  StockDays,
  Stockouts,
  StockWorths,
} from '../../../base/database/entities.ts'
import { inTransaction } from '../../../base/cap/context.ts'
import { Refusal } from '../../../base/errors.ts'
import { today } from '../../../base/time/days.ts'
import type { Predicate } from '../../authority/index.ts'
import { findProposal } from '../readers.ts'
import { amountOf, within } from '../reports/value-report.ts'
import { readPairInputs } from '../terms/pair-inputs.ts'
import { readOtherSupply } from '../terms/supply.ts'
import { keptUntilSync } from './forecast-bias.ts'
import { cleaningOf, promotionDaysOf } from '../../forecasts/index.ts'

const WINDOW_DAYS = 28

export const readStockWorth = (visible: Predicate | null) =>
  keptUntilSync('worth', visible, () => sumStock(visible))

async function sumStock(visible: Predicate | null) {
  const query = SELECT.from(StockWorths)
    .columns(
      ...(['currency', 'isCosted', 'count(*) as count'] as const),
      'sum(onHand * unitCost) as value',
    )
    .where({ onHand: { '>': 0 } })
    .groupBy('currency', 'isCosted')
  const groups = await readAs<StockGroup>(within(query, visible))
  const costed = groups.filter(({ isCosted }) => Number(isCosted))
  return {
    value: await amountOf(costed, 'value'),
    withoutCost: groups
      .filter((group) => !costed.includes(group))
      .reduce((sum, { count }) => sum + Number(count), 0),
  }
}

interface StockGroup {
  currency: string | null
  isCosted: number | boolean
  count: number | string
  value: number | string | null
}

export const readStockReached = (visible: Predicate | null) =>
  keptUntilSync('reached', visible, () => countDays(visible))

/** The condition of pairs that are bought, not phased out, and not led by another source. */
const bought = () => ({ onHand: { '!=': null }, ledBy: null, purchasable: true })

/** The days with stock among those on which it was read, of the source with most of them; null without any. */
async function countDays(visible: Predicate | null) {
  const from = addDays(today(), 1 - WINDOW_DAYS)
  const sum = { pairs: 0, days: 0, pairDays: 0, emptyDays: 0, emptyNow: 0 }
  const daysOf = await readDays(from)
  for (const { source_ID, pairs } of await countPairs(visible)) {
    const days = daysOf.get(source_ID)
    if (!days) continue
    sum.pairs += pairs
    sum.days = Math.max(sum.days, days.length)
    sum.pairDays += pairs * days.length
    for (const spell of await readSpells(source_ID, from, visible)) {
      const { firstDay, lastDay, count } = spell
      const empty = days.filter((day) => day >= firstDay && (lastDay === null || day <= lastDay))
      sum.emptyDays += Number(count) * empty.length
      if (lastDay === null) sum.emptyNow += Number(count)
    }
  }
  const { pairs, days, pairDays, emptyDays, emptyNow } = sum
  const percent = pairDays ? 100 * (1 - emptyDays / pairDays) : null
  return { pairs, days, emptyNow, percent }
}

async function countPairs(visible: Predicate | null) {
  const query = SELECT.from(PairPlanning).columns('source_ID', 'count(*) as pairs').where(bought())
    .where`phaseOutOn is null or phaseOutOn > ${today()}`.groupBy('source_ID')
  const rows = await readAs<{ source_ID: number; pairs: unknown }>(within(query, visible))
  return rows.map(({ source_ID, pairs }) => ({ source_ID, pairs: Number(pairs) }))
}

/** The days on which a sync has read the stock. Days that ERPs report themselves do not count. */
async function readDays(from: string) {
  const rows = await SELECT.from(StockDays)
    .columns('source_ID', 'day')
    .where({ day: { '>=': from }, reported: false })
  return new Map(
    [...Map.groupBy(rows, ({ source_ID }) => source_ID)].map(([source, days]) => [
      source,
      days.map(({ day }) => day),
    ]),
  )
}

interface Spell {
  firstDay: string
  lastDay: string | null
  count: number | string
}

/** The stockouts within the window; those with the same days are counted together. */
async function readSpells(source_ID: number, from: string, visible: Predicate | null) {
  const pairs = SELECT.from(PairPlanning)
    .columns('ID')
    .where({ ...bought(), source_ID }).where`phaseOutOn is null or phaseOutOn > ${today()}`
  return readAs<Spell>(
    SELECT.from(Stockouts)
      .columns('firstDay', 'lastDay', 'count(*) as count')
      .where({ series: { in: within(pairs, visible) } })
      .where`lastDay is null or lastDay >= ${from}`.groupBy('firstDay', 'lastDay'),
  )
}

const PAST_WEEKS = 12
/** The whole weeks that the forecast covers. */
const WEEKS_AHEAD = 12

interface Week {
  /** The week's last day. */
  date: string
  demand: number
  /** Days with a promotion; of a coming week planned ones. */
  promoted: number
}

/** A past week, with the days that the forecast corrects or leaves out. */
interface PastWeek extends Week {
  /** Days whose demand is known: less than 7 where the data end within the week. */
  days: number
  outOfStock: number
  closed: number
  outliers: number
  /** Returned units, which reduce the sales before them. */
  returns: number
}

/** `demand` is the week's own median; the quantiles cover the demand from today to the end of the week. */
interface WeekAhead extends Week {
  /** The range of the week's own demand. */
  least: number
  most: number
  p10: number
  p50: number
  p90: number
  /** The week's median without overrides; null if there are none. */
  before: number | null
  /** Open orders due in the week; overdue and undated ones count as due today. */
  arriving: number
  /** The first day of the week on which one arrives; null if none does. */
  arrivesOn: string | null
  /** The stock at the end of the week before demand is subtracted; null if the stock is unknown. */
  supply: number | null
}

export interface Outlook {
  ID: number
  asOf: string
  leadTimeDays: number | null
  past: PastWeek[]
  ahead: WeekAhead[]
}

/**
 * The demand of past weeks, and the forecast and supply of coming weeks.
 * @param pastWeeks at most so many, as far back as there is demand, and no less than 12
 * @throws Refusal forecast_not_ready
 */
export async function outlookOfProposal(ID: number, pastWeeks = PAST_WEEKS): Promise<Outlook> {
  const { series } = await findProposal(ID)
  const outlook = await outlookOfPair(series, pastWeeks)
  if (outlook) return { ID, ...outlook }
  throw new Refusal('forecast_not_ready', `The demand of prop_${ID} is not forecast now.`)
}

/** The same of a pair that the caller may see; null while it has no forecast. */
export async function outlookOfPair(
  series: number,
  pastWeeks = PAST_WEEKS,
): Promise<Omit<Outlook, 'ID'> | null> {
  const pair = await readPairInputs(series)
  if (!pair?.input) return null
  const input = pair.input(0)
  const { asOf, planning } = input
  const promotions = (await promotionDaysOf(series, asOf)).map((day) => day - toEpochDay(asOf))
  return {
    ...{ asOf, leadTimeDays: planning.leadTimeDays },
    past: await readPast(series, { asOf, forecastAsOf: pair.forecastAsOf ?? asOf }, pastWeeks),
    ahead: weeksAhead(input, promotions),
  }
}

interface PastDays {
  asOf: string
  /** The first day of the series' forecast: what lies between is not known yet. */
  forecastAsOf: string
}

async function readPast(series: number, { asOf, forecastAsOf }: PastDays, most: number) {
  const today = toEpochDay(asOf)
  const historyDays = most * 7
  const history = (await loadHistories([series], asOf, { historyDays })).get(series)
  const firstDay = history?.days[0] ?? today
  const wanted = Math.min(most, Math.max(PAST_WEEKS, Math.ceil((today - firstDay) / 7)))
  const start = today - wanted * 7
  const unknown = today - toEpochDay(forecastAsOf)
  const weeks = Array.from({ length: wanted }, (_, at): PastWeek => ({
    ...{ date: toDate(start + at * 7 + 6), demand: 0, promoted: 0 },
    days: Math.max(0, Math.min(7, (wanted - at) * 7 - unknown)),
    ...{ outOfStock: 0, closed: 0, outliers: 0, returns: 0 },
  }))
  const add = (day: number, name: keyof Omit<PastWeek, 'date' | 'days'>, by = 1) => {
    const week = weeks[Math.floor((day - start) / 7)]
    if (week) week[name] += by
  }
  history?.days.forEach((day, at) => {
    add(day, 'demand', history.quantities[at])
    if (history.promo?.[at]) add(day, 'promoted')
  })
  for (const { date, booked, reasons } of await cleaningOf(series, forecastAsOf)) {
    const day = toEpochDay(date)
    if (booked < 0) add(day, 'returns')
    for (const reason of reasons) if (MARKED[reason]) add(day, MARKED[reason])
  }
  return weeks
}

/** Which count of a week a reason increases. Returns are counted separately. */
const MARKED: Record<string, 'outOfStock' | 'closed' | 'outliers' | undefined> = {
  ...{ out_of_stock: 'outOfStock', closed: 'closed', outlier: 'outliers' },
}

/** @param promotions planned days, counted from today */
function weeksAhead(
  { asOf, forecast, position }: ProposalInput,
  promotions: number[],
): WeekAhead[] {
  const today = toEpochDay(asOf)
  const dueIn = (date: string | null) => Math.max(0, date === null ? 0 : toEpochDay(date) - today)
  const weekOf = (day: number) => Math.floor(day / 7)
  const receipts = (position.receipts ?? []).map(({ date, quantity }) => ({
    ...{ day: dueIn(date), quantity },
  }))
  const own = demandByWeek(forecast, WEEKS_AHEAD)
  const plain = forecast.statistical && demandByWeek(forecast.statistical, WEEKS_AHEAD)
  let supply = position.onHand
  return own.map(({ p10: least, p50: demand, p90: most }, week) => {
    const due = receipts.filter(({ day }) => weekOf(day) === week)
    const arriving = due.reduce((sum, { quantity }) => sum + quantity, 0)
    if (supply !== null) supply += arriving
    const without = plain?.[week]?.p50 ?? null
    return {
      ...{ date: toDate(today + week * 7 + 6), demand, least, most },
      promoted: promotions.filter((day) => weekOf(day) === week).length,
      before: without === demand ? null : without,
      ...forecast.at((week + 1) * 7),
      ...{ arriving, supply },
      arrivesOn: due.length ? toDate(today + Math.min(...due.map(({ day }) => day))) : null,
    }
  })
}

export interface Risk {
  ID: number
  asOf: string
  currency: string | null
  none: QuantityRisk
  proposed: QuantityRisk
  asked: QuantityRisk | null
}

interface RiskQuery {
  ID: number
  quantity: number | null
}

/**
 * Compares no order, the proposed quantity and the asked one, from today's numbers.
 * @throws Refusal forecast_not_ready while the pair waits for its forecast, proposal_stale if it can no longer be calculated
 */
export const riskOfProposal = (query: RiskQuery) => inTransaction(() => weighRisk(query))

async function weighRisk({ ID, quantity }: RiskQuery): Promise<Risk> {
  const proposal = await findProposal(ID)
  const pair = await readPairInputs(proposal.series)
  if (!pair?.isBought) {
    throw new Refusal('proposal_stale', `The pair of prop_${ID} is not bought any more.`)
  }
  if (!pair.input) {
    throw new Refusal('forecast_not_ready', `The demand of prop_${ID} is not forecast now.`)
  }
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const input = pair.input(incoming, outgoing)
  const units = [0, proposal.quantity, ...(quantity === null ? [] : [Number(quantity)])]
  const [none, proposed, asked] = riskCurve(input, units)
  if (!none || !proposed) {
    throw new Refusal('proposal_stale', `Stock or lead time of prop_${ID} is no longer known.`)
  }
  return { ID, asOf: input.asOf, currency: pair.currency, none, proposed, asked: asked ?? null }
}
