import type * as Service from '#cds-models/ProposalsService'
import { type DriverShare, toEpochDay } from '../../../engine/index.ts'
import { send } from '../../services.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { EMPTY_HISTORY, loadHistories } from '../../store/demand/histories.ts'
import { readProposal } from '../lifecycle/transition.ts'

/** 52 weeks, so that weekdays meet. */
const YEAR = 364
const LONGEST = 90

type Bridge = ServiceRow<Service.Bridge>
type Step = Bridge['steps'][number]

interface Answer {
  forecast: { asOf: string; p50: number; amounts: DriverShare[] } | null
}

/** From the demand of the same days a year ago to the P50 over the proposal's protection interval; no steps where there is no forecast. */
export async function bridgeOfProposal(ID: number): Promise<Bridge> {
  const { series, sku, location, calculation } = await readProposal(ID)
  const horizonDays = Math.min(LONGEST, Math.max(1, calculation.horizonDays))
  const [answer] = await send<Answer[]>('ForecastingService', 'lookup', {
    ...{ pairs: [{ sku, location }], horizon: horizonDays, withAmounts: true },
  })
  if (!answer?.forecast) return { ID, horizonDays, asOf: null, steps: [] }
  const { asOf, p50, amounts } = answer.forecast
  const before = await demandLastYear(series, asOf, horizonDays)
  return { ID, horizonDays, asOf, steps: stepsOf(before, amounts, p50) }
}

/** Null where the history does not reach back so far. */
async function demandLastYear(series: number, asOf: string, horizonDays: number) {
  const all = (await loadHistories([series], asOf)).get(series) ?? EMPTY_HISTORY
  const from = toEpochDay(asOf) - YEAR
  if (!(all.days.length > 0 && all.days[0]! <= from)) return null
  let sum = 0
  all.days.forEach((day, i) => {
    if (day >= from && day < from + horizonDays) sum += all.quantities[i]!
  })
  return Math.round(sum)
}

/** What the level changed since then is the first step, unless there was no last year. */
function stepsOf(before: number | null, amounts: DriverShare[], p50: number): Step[] {
  const steps: Step[] = []
  let sum = 0
  const add = (code: string, amount: number) => {
    if (amount !== 0) steps.push({ code, amount, from: sum, to: sum + amount, isTotal: false })
    sum += amount
  }
  if (before !== null) {
    sum = before
    steps.push({ code: 'last_year', amount: before, from: 0, to: before, isTotal: true })
  }
  for (const { code, amount } of amounts)
    if (code === 'level' && before !== null) add('trend', amount - before)
    else add(code, amount)
  return [...steps, { code: 'forecast', amount: p50, from: 0, to: p50, isTotal: true }]
}
