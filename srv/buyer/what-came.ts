// What came of former decisions: the demand of the days that each was for, beside its forecast, and whether the shelf was empty.
import {
  type DemandHistory,
  demandBetween,
  type EpochDay,
  toDate,
  toEpochDay,
} from '../../engine/index.ts'
import { loadHistories } from '../store/demand/histories.ts'
import { loadStockReads } from '../store/demand/stock-history.ts'
import { readAs, Sources } from '../store/entities.ts'
import { message } from '../texts.ts'

/** Elements that `whatCame` is made of. */
export const CAME_FROM = 'series,source,asOf,horizonDays,p10,p50,p90'

export interface FormerDecision {
  series?: number
  source?: number
  asOf?: string | null
  horizonDays?: number
  p10?: number
  p50?: number
  p90?: number
  whatCame?: string | null
}

export async function addWhatCame(rows: FormerDecision[]): Promise<void> {
  const bySource = Map.groupBy(rows, ({ source }) => source)
  for (const [source, own] of bySource) if (source != null) await addOf(source, own)
}

async function addOf(source: number, rows: FormerDecision[]) {
  const known = await knownUntil(source)
  for (const row of rows) row.whatCame = null
  const begun = rows.filter(({ asOf }) => asOf && known !== null && toEpochDay(asOf) < known)
  if (!begun.length) return
  const first = Math.min(...begun.map(({ asOf }) => toEpochDay(asOf!)))
  const series = [...new Set(begun.map((row) => row.series!))]
  const histories = await loadHistories(series, toDate(known!), {
    historyDays: known! - first,
    reads: await loadStockReads(source),
  })
  for (const row of begun) row.whatCame = textOf(row, histories.get(row.series!), known!)
}

/** The day up to which a source's demand is complete, itself not included. */
async function knownUntil(source: number): Promise<EpochDay | null> {
  const [row] = await readAs<{ dataAsOf: string | null }>(
    SELECT.from(Sources).columns('dataAsOf').where({ ID: source }),
  )
  return row?.dataAsOf ? toEpochDay(row.dataAsOf) : null
}

function textOf(row: FormerDecision, history: DemandHistory | undefined, known: EpochDay) {
  const from = toEpochDay(row.asOf!)
  const to = Math.min(from + row.horizonDays!, known)
  const demand = history ? Math.round(demandBetween(history, from, to)) : 0
  const text = message(to < from + row.horizonDays! ? 'came_so_far' : 'came', {
    ...{ demand, days: to - from, horizon: row.horizonDays },
    ...{ p10: row.p10, p50: row.p50, p90: row.p90 },
  })
  const empty = emptyDays(history, from, to)
  return empty ? message('came_empty', { text, days: empty }) : text
}

/** Days without stock, as far as stock was read. */
function emptyDays(history: DemandHistory | undefined, from: EpochDay, to: EpochDay): number {
  const spells = history?.stock?.empty ?? []
  let days = 0
  for (let i = 0; i < spells.length; i += 2)
    days += Math.max(0, Math.min(to - 1, spells[i + 1]!) - Math.max(from, spells[i]!) + 1)
  return days
}
