import { join } from 'node:path'
import { readHistoryFile } from '../../cli/history-file.ts'
import { historyOf } from '../../cli/offline/histories.ts'
import {
  type CaseRule,
  contextsOf,
  type Days,
  type DemandHistory,
  type EpochDay,
  type LocationContext,
} from '../../engine/index.ts'

const SOURCE = join(import.meta.dirname, '../../data/source')

interface SetRule {
  name: string
  file: string
  /** Only this location; absent: all. */
  location?: string
  /** Days between two origins. */
  step: Days
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

export interface DemandSet {
  rule: SetRule
  histories: DemandHistory[]
  origins: { day: EpochDay; context: LocationContext }[]
}

/** The series of a set and its origins, each with what is known of the location by then. */
export async function loadSet(rule: SetRule): Promise<DemandSet> {
  const { pairs, histories: columns } = await readHistoryFile(join(SOURCE, rule.file))
  const histories = pairs
    .map(({ location }, pair) => ({ location, history: historyOf(columns, pair) }))
    .filter(({ location }) => rule.location === undefined || location === rule.location)
    .map(({ history }) => history)
  const end = histories.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const origins = Array.from({ length: ORIGINS }, (_, i) => end - LONGEST - i * rule.step)
  return {
    rule,
    histories,
    origins: origins.map((day) => ({ day, context: contextOf(histories, day) })),
  }
}

function contextOf(histories: DemandHistory[], day: EpochDay): LocationContext {
  const series = histories.map((history) => ({ location: '', history }))
  return contextsOf(series, day).get('')!
}
