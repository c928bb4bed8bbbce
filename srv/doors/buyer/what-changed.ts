// Why a proposal is not what it was yesterday: `120 → 160: on hand −40, expected demand +12`.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import {
  demandBetween,
  type DemandHistory,
  type EpochDay,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { addDays, type Calculation } from '../../../engine/proposal/index.ts'
import { addCondition, innermostQuery } from '../../base/odata/query-limits.ts'
import { loadHistories } from '../../base/database/demand/histories.ts'
import { loadStockReads } from '../../base/database/demand/stock-history.ts'
import { readAs, Sources } from '../../base/database/entities.ts'
import { message, writtenChange, writtenDay, writtenPrice } from '../../base/texts/texts.ts'
import { dayOf, today } from '../../base/time/days.ts'
import { parseNumbersBefore, TOLD_NUMBERS, type ToldNumber } from '../../domain/proposals/index.ts'

/** The elements that the text is made from. */
export const CHANGED_FROM =
  'quantity,unitCost,orderBy,createdAt,further,onHand,onOrder,openProposals,p50,targetStock,' +
  'leadTimeDays,reviewPeriodDays,moq,lotSize'

type ChangedProposal = { [name: string]: unknown } & {
  changed?: string | null
  createdAt?: string | null
  further?: string | null
}

/** The most reasons that are told. */
const MOST_REASONS = 3

/** Numbers of which both values are told, and not the difference. */
const AS_THEY_ARE: readonly ToldNumber[] = ['leadTimeDays', 'reviewPeriodDays', 'moq', 'lotSize']

/** @returns null if nothing has changed since yesterday */
export function whatChanged(row: ChangedProposal): string | null {
  const isOfToday = Boolean(row.createdAt) && dayOf(row.createdAt!) === today()
  if (!row.changed) return isOfToday ? message('since_new') : null
  const before = parseNumbersBefore(row.changed)
  if (dayOf(before.changedAt) < addDays(today(), -1)) return null
  const [was, now] = [before.quantity, Number(row.quantity)]
  const reasons = [...numberReasons(before.numbers, row), ...termReasons(before, row)]
  const why = reasons.slice(0, MOST_REASONS).join(', ')
  const quantity = was === now ? '' : message('since_quantity', { was, now })
  return quantity && why ? message('since_because', { quantity, why }) : quantity || why || null
}

function numberReasons(
  before: Partial<Record<ToldNumber, number>>,
  row: ChangedProposal,
): string[] {
  const further = JSON.parse(row.further ?? '{}') as Partial<Calculation>
  const moved = TOLD_NUMBERS.flatMap((name) => {
    const [was, now] = [before[name] ?? 0, Number(row[name] ?? further[name] ?? 0)]
    return was === now ? [] : [{ name, was, now }]
  })
  // A changed demand or lead time already explains why the target stock has changed.
  const isCaused = moved.some(({ name }) => ['p50', 'leadTimeDays'].includes(name))
  return moved
    .filter(({ name }) => !(name === 'targetStock' && isCaused))
    .map(({ name, was, now }) =>
      AS_THEY_ARE.includes(name)
        ? message(`since_${name}`, { was, now })
        : message(`since_${name}`, { change: writtenChange(now - was) }),
    )
}

function termReasons(
  before: { unitCost: string | null; orderBy: string | null },
  row: ChangedProposal,
) {
  const price = [before.unitCost, row.unitCost].map((cost) => (cost == null ? null : Number(cost)))
  const [was, now] = price as [number | null, number | null]
  return [
    ...(was !== null && now !== null && was !== now
      ? [message('since_unitCost', { was: writtenPrice(was), now: writtenPrice(now) })]
      : []),
    ...(before.orderBy && row.orderBy && before.orderBy !== row.orderBy
      ? [
          message('since_orderBy', {
            was: writtenDay(before.orderBy),
            now: writtenDay(row.orderBy),
          }),
        ]
      : []),
  ]
}

// The outcome of former decisions: the demand of the days that each was for, beside its forecast, and whether stock ran out.

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

/** Days without stock, as far as stock was read on them. */
function emptyDays(history: DemandHistory | undefined, from: EpochDay, to: EpochDay): number {
  const spells = history?.stock?.empty ?? []
  let days = 0
  for (let i = 0; i < spells.length; i += 2)
    days += Math.max(0, Math.min(to - 1, spells[i + 1]!) - Math.max(from, spells[i]!) + 1)
  return days
}

// The former decisions about a proposal's SKU and location.

/** CAP would check for each decision whether it belongs to the proposal; here they are found by their series. */
export async function findBySeries(service: cds.ApplicationService, { query }: Request) {
  const { from } = innermostQuery(query).SELECT ?? {}
  const [first, way] = from?.ref ?? []
  if (way !== 'similar') return
  const proposal = (await service.run(
    SELECT.one.from({ ref: [first] } as never).columns('ID', 'series'),
  )) as { ID: number; series: number } | null
  from!.ref = ['BuyerService.Decisions']
  const { ID = null, series = null } = proposal ?? {}
  const others = [
    { ref: ['series'] },
    '=',
    { val: series },
    'and',
    { ref: ['ID'] },
    '!=',
    { val: ID },
  ]
  addCondition(innermostQuery(query), { xpr: others })
}
