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
import { readSetting, type Setting, type StaleData } from '../terms/setting.ts'
import type { SupplierTermsBook } from '../terms/supplier-terms.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { applyChanges } from './apply-changes.ts'
import { calculatePairs, type ResultOf, updateNoHistory } from './calculate-pairs.ts'
import { updateSourceExceptions } from './exceptions.ts'
import { TransferPlan } from './plan-transfers.ts'
import { SupplierOrders } from './supplier-orders.ts'

const CHUNK = 1_000
/** Attempts at a chunk, whose pairs another instance may be writing at the same time. */
const TRIES = 3

interface Task {
  source: number
  sync: number | null
  /** Only these pairs; all where it is absent. */
  scope?: Scope | null
  /** Only pairs that are marked, e.g. since another source's sync has changed who leads them. */
  onlyMarked?: boolean
}

/**
 * Calculates a source's proposals after its sync, from its newest forecasts and stock. `onlyMarked`: of the pairs that the
 * sync of another source has changed.
 */
export const refreshProposals = (task: Omit<Task, 'scope'>) =>
  runDetached(`sync_${task.sync}`, async () => {
    if (task.onlyMarked) return runProposals(task)
    await markOrderedProposals(task.source)
    await measureLeadTimes(task)
    return runProposals(task)
  })

/** Recomputes a source's proposals, exceptions and blocked pairs, a chunk of pairs in one transaction each. */
export const runProposals = (task: Task) =>
  withSource(task.source, 'proposals', () => run(task), stopSignalOf(task.sync))

async function run({ source, sync, scope, onlyMarked = false }: Task) {
  const setting = await readSetting(source)
  const plan = await TransferPlan.make(source, setting)
  const orders = new SupplierOrders(setting.supplierTerms)
  // Filling a supplier's order needs all its lines, a transfer both its pairs, even those outside the scope.
  const isWider = setting.supplierTerms.fillsOrders || settings().redistribution
  const within = isWider ? {} : (scope ?? {})
  const due = onlyMarked
    ? await markedWithOrders(source, setting.supplierTerms)
    : (await isIncremental(sync))
      ? await dueSeries(source, setting)
      : null
  const total = due?.length ?? (await countPairs(source))
  const result = { proposed: 0, blocked: 0 }
  const signal = stopSignalOf(sync)
  let done = 0
  const chunk = async (rows: PlanningRow[], resultOf: ResultOf) => {
    signal?.throwIfAborted()
    const counts = await retryConflicts(() =>
      cds.tx(async () => {
        if (sync === null) return calculatePairs(rows, { setting, plan, resultOf })
        const later = new Set<number>()
        // Unmarked first, so that a decision made in the meantime marks its pair for the next run.
        const marked = await takeMarks(rows.map(({ ID }) => ID))
        const counts = await calculatePairs(rows, {
          setting,
          plan,
          resultOf(pair, input) {
            const result = resultOf(pair, input)
            if (!result) later.add(pair.series)
            return result
          },
        })
        // Whoever goes on after the end of this process calculates the marked ones, or else all anew.
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
  if (!scope) await cds.tx(() => updateNoHistory(source, setting))
  await cds.tx(() => noteStaleData(source, setting.staleData, !scope && !due))
  if (!scope) {
    await cds.tx(async () => {
      await supersedeOrphans(source)
      if (sync !== null && !due) await setProposedOn(source, setting.days)
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

/** Two runs at once have created the same proposal: the unique key of open ones let one through. */
function isConflict(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '23505' || /unique/i.test(String(message))
}

/** Pairs that the source no longer has need no order. */
export async function supersedeOrphans(source: number) {
  const rows: unknown = await SELECT.from('restock.Proposals as p')
    .where`p.source.ID = ${source} and p.status in ${statusesBefore('supersede')} and not exists (select 1 as one from restock.Series as s where s.ID = p.series)`
  const proposals = (rows as ProposalRow[]).map(toProposal)
  for (const chunk of inChunks(proposals, CHUNK)) {
    await applyChanges(chunk.map((proposal) => ({ do: 'supersede', proposal })))
  }
}

/**
 * The pairs of a source that an incremental sync must calculate: those whose inputs have changed, and
 * all lines of the orders that they are part of. Null for all pairs: on a new day, once the data have
 * become too old to order by or new again, and where transfers between locations tie them together.
 */
async function dueSeries(
  source: number,
  { supplierTerms, staleData, days }: Setting,
): Promise<number[] | null> {
  const isDone = await isProposedToday(source, days, staleData?.since ?? null)
  if (settings().redistribution || !isDone) return null
  return markedWithOrders(source, supplierTerms)
}

/** The marked pairs of a source, with all lines of the orders that they are part of, in order. */
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

/** Suppliers of some pairs, and those that their open proposals are still of. */
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

// What is said of a source whose demand or stock is too old to order by.

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
