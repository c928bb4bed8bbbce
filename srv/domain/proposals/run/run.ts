import cds from '@sap/cds'
import { propose } from '../../../../engine/proposal/index.ts'
import { PairPlanning, Proposals, Sources, Syncs } from '../../../base/database/entities.ts'
import {
  isProposedToday,
  markAgain,
  markedSeries,
  setProposedOn,
  setStaleSince,
  takeMarks,
} from '../../../base/database/proposal-marks.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { markOrderedProposals } from '../decide/erp-orders.ts'
import { measureLeadTimes } from '../terms/lead-times.ts'
import { reportProgress, stopSignalOf } from '../../../base/work/runs.ts'
import { withSource } from '../../../base/work/source-turn.ts'
import { openStatuses, statusesBefore } from '../stored/flow.ts'
import { type PlanningRow, readInputs, readNextInputs, type Scope } from '../terms/pair-inputs.ts'
import { readSourceInputs, type SourceInputs, type StaleData } from '../terms/source-inputs.ts'
import type { SupplierTermsBook } from '../terms/supplier-terms.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { applyChanges } from './apply-changes.ts'
import { calculatePairs, type ResultOf, updateNoHistory } from './calculate-pairs.ts'
import { updateSourceExceptions } from './exceptions.ts'
import { TransferPlan } from './plan-transfers.ts'
import { SupplierOrders } from './supplier-orders.ts'

const CHUNK = 1_000
/** How often a chunk is tried, since another instance may write the same pairs at the same time. */
const TRIES = 3

interface ProposalRun {
  source: number
  sync: number | null
  /** Limits the run to these pairs; absent for all. */
  scope?: Scope | null
  /** Limits the run to marked pairs, e.g. because a sync of another source has changed which source leads them. */
  onlyMarked?: boolean
}

/**
 * Calculates a source's proposals after its sync, from its newest forecasts and stock. With `onlyMarked` it calculates only
 * the pairs that the sync of another source has changed.
 */
export const refreshProposals = (request: Omit<ProposalRun, 'scope'>) =>
  runDetached(`sync_${request.sync}`, async () => {
    if (request.onlyMarked) return runProposals(request)
    await markOrderedProposals(request.source)
    await measureLeadTimes(request.source, request.sync)
    return runProposals(request)
  })

/** Recomputes a source's proposals, exceptions and blocked pairs, a chunk of pairs in one transaction each. */
export const runProposals = (request: ProposalRun) =>
  withSource(request.source, 'proposals', () => run(request), stopSignalOf(request.sync))

async function run({ source, sync, scope, onlyMarked = false }: ProposalRun) {
  const sourceInputs = await readSourceInputs(source)
  const plan = await TransferPlan.make(source, sourceInputs)
  const orders = new SupplierOrders(sourceInputs.supplierTerms)
  // To fill a supplier's order all its lines are needed, and for a transfer both its pairs, even outside the scope.
  const isWider = sourceInputs.supplierTerms.fillsOrders || settings().redistribution
  const within = isWider ? {} : (scope ?? {})
  const due = onlyMarked
    ? await markedWithOrders(source, sourceInputs.supplierTerms)
    : (await isIncremental(sync))
      ? await dueSeries(source, sourceInputs)
      : null
  const total = due?.length ?? (await countPairs(source))
  const result = { proposed: 0, blocked: 0 }
  const signal = stopSignalOf(sync)
  let done = 0
  const chunk = async (rows: PlanningRow[], resultOf: ResultOf) => {
    signal?.throwIfAborted()
    const counts = await retryConflicts(() =>
      cds.tx(async () => {
        if (sync === null) return calculatePairs(rows, { sourceInputs, plan, resultOf })
        const later = new Set<number>()
        // The marks are removed first, so that a decision made meanwhile marks its pair for the next run.
        const marked = await takeMarks(rows.map(({ ID }) => ID))
        const counts = await calculatePairs(rows, {
          sourceInputs,
          plan,
          resultOf(pair, input) {
            const result = resultOf(pair, input)
            if (!result) later.add(pair.series)
            return result
          },
        })
        // If this process ends, another one continues with the pairs that are still marked, or begins anew.
        const left = marked.filter((ID) => later.has(ID))
        await markAgain(left)
        const isAdvance = due !== null && left.length < marked.length
        await reportProgress(sync, 'proposing', { done, total, unit: 'pairs' }, isAdvance)
        return counts
      }),
    )
    result.proposed += counts.proposed
    result.blocked += counts.blocked
  }
  const pages = due ? inputsInChunks(due) : allInputs(source, within)
  for await (const rows of pages) {
    done += rows.length
    await chunk(rows, (pair, input) => {
      const own = propose(input)
      return orders.addLine(pair, input, own) ? null : own
    })
  }
  for await (const rows of inputsInChunks(orders.fillOrders())) {
    await chunk(rows, (pair, input) => orders.raiseQuantity(pair, input, propose(input)))
  }
  const { suppliers, found } = orders.conflicts
  await cds.tx(() =>
    updateSourceExceptions(source, 'rule_conflict', found, due ? suppliers : undefined),
  )
  if (!scope) await cds.tx(() => updateNoHistory(source, sourceInputs))
  await cds.tx(() => noteStaleData(source, sourceInputs.staleData, !scope && !due))
  if (!scope) {
    await cds.tx(async () => {
      await supersedeOrphans(source)
      if (sync !== null && !due) await setProposedOn(source, sourceInputs.days)
    })
  }
  return result
}

/** Only an incremental sync may skip pairs whose inputs have not changed. */
async function isIncremental(sync: number | null): Promise<boolean> {
  if (sync === null) return false
  const row = await SELECT.one.from(Syncs).columns('mode').where({ ID: sync })
  return row?.mode === 'incremental'
}

async function* allInputs(source: number, scope: Scope): AsyncGenerator<PlanningRow[]> {
  for (let after = 0; ;) {
    const rows = await readNextInputs(source, after, CHUNK, scope)
    if (!rows.length) return
    yield rows
    after = Number(rows.at(-1)!.ID)
  }
}

async function* inputsInChunks(series: number[]): AsyncGenerator<PlanningRow[]> {
  for (const chunk of inChunks(series, CHUNK)) yield readInputs(chunk)
}

async function countPairs(source: number): Promise<number> {
  const { total } = (await SELECT.one
    .from('restock.Series')
    .columns('count(*) as total')
    .where({ source_ID: source })) as { total: unknown }
  return Number(total)
}

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES || !isConflict(error)) throw error
    }
  }
}

/** Whether two runs have created the same proposal at once: the unique key of open proposals admits one of them. */
function isConflict(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '23505' || /unique/i.test(String(message))
}

/** Supersedes the proposals of pairs that the source no longer has. */
export async function supersedeOrphans(source: number) {
  const rows: unknown = await SELECT.from('restock.Proposals as p')
    .where`p.source.ID = ${source} and p.status in ${statusesBefore('supersede')} and not exists (select 1 as one from restock.Series as s where s.ID = p.series)`
  const proposals = (rows as ProposalRow[]).map(toProposal)
  for (const chunk of inChunks(proposals, CHUNK)) {
    await applyChanges(chunk.map((proposal) => ({ do: 'supersede', proposal })))
  }
}

/**
 * The pairs that an incremental sync must calculate: those whose inputs have changed, and all lines of the same orders. Null
 * for all pairs: on a new day, when the data have become too old to order by or current again, and if transfers between
 * locations connect the pairs.
 */
async function dueSeries(
  source: number,
  { supplierTerms, staleData, days }: SourceInputs,
): Promise<number[] | null> {
  const isDone = await isProposedToday(source, days, staleData?.since ?? null)
  if (settings().redistribution || !isDone) return null
  return markedWithOrders(source, supplierTerms)
}

/** The marked pairs of a source and all lines of the same orders, sorted. */
async function markedWithOrders(source: number, terms: SupplierTermsBook): Promise<number[]> {
  const due = await markedSeries(source)
  if (!terms.fillsOrders) return due
  const filled = [...(await suppliersOf(due))].filter((supplier) => terms.fillsOrder(supplier))
  if (!filled.length) return due
  const lines = (await SELECT.from('restock.PairPlanning')
    .columns('ID')
    .where({ source_ID: source, supplier: { in: filled } })) as { ID: number }[]
  return [...new Set([...due, ...lines.map(({ ID }) => ID)])].sort((a, b) => a - b)
}

/** The suppliers of some pairs, and of their open proposals. */
async function suppliersOf(series: number[]): Promise<Set<string>> {
  const suppliers = new Set<string>()
  for (const some of inChunks(series)) {
    const chunk = { in: some }
    const rows: { supplier: string | null }[] = [
      ...(await SELECT.distinct.from(PairPlanning).columns('supplier').where({ ID: chunk })),
      ...(await SELECT.distinct
        .from(Proposals)
        .columns('supplier')
        .where({ series: chunk, status: { in: openStatuses() } })),
    ]
    for (const { supplier } of rows) if (supplier) suppliers.add(supplier)
  }
  return suppliers
}

// The exception for a source whose demand or stock is too old to order by.

/** @param isWhole whether all pairs of the source were calculated */
async function noteStaleData(source: number, stale: StaleData | null, isWhole: boolean) {
  const row = await SELECT.one.from(Sources).columns('account').where({ ID: source })
  const found = stale && {
    text: `exception_stale_${stale.record}`,
    ...{ account: row?.account ?? '', day: stale.since, days: settings().staleDataAfterDays },
  }
  const messages = found ? [{ kind: 'stale_data' as const, facts: found }] : []
  await updateSourceExceptions(source, 'stale_data', messages)
  if (isWhole) await setStaleSince(source, stale?.since ?? null)
}
