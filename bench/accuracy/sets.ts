import { join } from 'node:path'
import { readHistoryFile } from '../../cli/history-file.ts'
import { historyOf } from '../../cli/offline/histories.ts'
import {
  calibrate,
  type Calibration,
  calibrationSample,
  type CaseRule,
  contextsOf,
  type Days,
  type DemandHistory,
  type EpochDay,
  type LocationContext,
} from '../../engine/index.ts'

const SOURCE = join(import.meta.dirname, '../../data/source')

export interface SetRule {
  name: string
  file: string
  /** Only this location; absent: all. */
  location?: string
  /** Days between two origins. */
  step: Days
  /** Number of origins; absent: 4. */
  origins?: number
  cases: CaseRule
}

/** The protocol's rules for each set. */
export const SETS: SetRule[] = [
  {
    name: 'pasta',
    file: 'pasta_daily.csv.gz',
    step: 91,
    cases: { days: 180, sales: 3, recentSales: 2 },
  },
  {
    name: 'retail',
    file: 'online_retail_daily_sparse.csv.gz',
    location: 'UK',
    step: 28,
    cases: { days: 90, sales: 3, recentSales: 2 },
  },
]

const ORIGINS = 4
const LONGEST: Days = 90

export interface Origin {
  day: EpochDay
  context: LocationContext
  calibration: Calibration | null
  /** Calibration with future promotions known; null where the set has no promotions. */
  planned: Calibration | null
}

export interface DemandSet {
  rule: SetRule
  histories: DemandHistory[]
  origins: Origin[]
}

/** The series of a set and its origins, each with the context and calibration of that day. */
export async function loadSet(rule: SetRule): Promise<DemandSet> {
  const own = await loadHistories(rule)
  const end = own.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const origins = Array.from(
    { length: rule.origins ?? ORIGINS },
    (_, i) => end - LONGEST - i * rule.step,
  )
  return { rule, histories: own, origins: origins.map((day) => originOf(own, day)) }
}

export async function loadHistories({ file, location }: SetRule): Promise<DemandHistory[]> {
  const { pairs, histories } = await readHistoryFile(join(SOURCE, file), { location })
  return pairs.map((_, pair) => historyOf(histories, pair))
}

export function originOf(own: DemandHistory[], day: EpochDay): Origin {
  const context = contextsOf(
    own.map((history) => ({ location: '', history })),
    day,
  ).get('')!
  const learn = (histories: DemandHistory[]) => {
    const sample = calibrationSample(histories, (history) => history, day)
    return calibrate(
      sample.map((history) => ({ history, context })),
      day,
    )
  }
  const planned = own.some(({ promo }) => promo)
    ? learn(own.map((history) => withPlan(history, day)))
    : null
  return { day, context, calibration: learn(own), planned }
}

/** The history with the promotions from the day on as its plan. */
export function withPlan(history: DemandHistory, day: EpochDay): DemandHistory {
  const { days, promo } = history
  return { ...history, plan: days.filter((each, i) => each >= day && promo?.[i]) }
}
