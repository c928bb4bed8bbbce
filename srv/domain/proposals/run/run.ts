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
import { rememberPromises } from '../terms/promises.ts'
import { chunkContext, doInChunks } from '../../../base/work/chunks.ts'
import { type ChunkContext, defineStep } from '../../../base/work/steps.ts'
import { reportProgress, stopSignalOf } from '../../../base/work/runs.ts'
import { withSource } from '../../../base/work/source-turn.ts'
import { openStatuses, statusesBefore } from '../stored/flow.ts'
import { type PlanningRow, readInputs, type Scope } from '../terms/pair-inputs.ts'
import { readSourceInputs, type SourceInputs, type StaleData } from '../terms/source-inputs.ts'
import type { SupplierTermsBook } from '../terms/supplier-terms.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { applyChanges } from './apply-changes.ts'
import { classifyPairs } from './classify.ts'
import { calculatePairs, type ResultOf, updateNoHistory, type Work } from './calculate-pairs.ts'
import { updateSourceExceptions } from './exceptions.ts'
import { TransferPlan } from './plan-transfers.ts'
import { addDay, DayOfPairs, daysToPlan, type Measured, type Planned } from './measured-values.ts'
import {
  type OrderLine,
  orderLineOf,
  type Raise,
  raiseQuantity,
  SupplierOrders,
} from './supplier-orders.ts'

const CHUNK = 1_000

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
    await rememberPromises(request.source)
    return runProposals(request)
  })

/** Recomputes a source's proposals, exceptions and blocked pairs, a chunk of pairs in one transaction each. */
export const runProposals = (request: ProposalRun) =>
  withSource(request.source, 'proposals', () => run(request), stopSignalOf(request.sync))

async function run({ source, sync, scope, onlyMarked = false }: ProposalRun) {
  const context = chunkContext({ source, sync })
  const sourceInputs = await sourceInputsOf(context)
  const { supplierTerms } = sourceInputs
  // To fill a supplier's order all its lines are needed, and for a transfer both its pairs, even outside the scope.
  const isWider = supplierTerms.fillsOrders || settings().redistribution
  const due = onlyMarked
    ? await markedWithOrders(source, supplierTerms)
    : (await isIncremental(sync))
      ? await dueSeries(source, sourceInputs)
      : null
  const pairs = due ?? (await allPairs(source, isWider ? null : (scope ?? null)))
  if (sync !== null) {
    const progress = { done: 0, total: pairs.length, unit: 'pairs' }
    await reportProgress(sync, 'proposing', progress, false)
  }
  if (!due && !scope) await classifyPairs(source, sourceInputs.days.usual)
  const isResumable = due !== null
  const day = sourceInputs.days.usual
  const isMeasured = sync !== null && !scope && !due && !sourceInputs.staleData
  const planned = isMeasured ? await daysToPlan(source, day) : null
  const first = await doInChunks(
    CALCULATING,
    context,
    [...inChunks(pairs, CHUNK)].map((series) => ({
      input: { series, isResumable, planned },
      units: series.length,
    })),
  )
  const orders = new SupplierOrders(
    supplierTerms,
    first.flatMap(({ lines }) => lines),
  )
  const second = await doInChunks(
    RAISING,
    context,
    [...inChunks(orders.fillOrders(), CHUNK)].map((raises) => ({
      input: { raises, isResumable },
      units: 0,
    })),
  )
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
      if (planned !== null) {
        await addDay(
          source,
          day,
          first.flatMap(({ measured }) => measured),
        )
      }
    })
  }
  const sum = (what: 'proposed' | 'blocked') =>
    [...first, ...second].reduce((total, counts) => total + counts[what], 0)
  return { proposed: sum('proposed'), blocked: sum('blocked') }
}

interface Counts {
  proposed: number
  blocked: number
}

interface PairsChunk {
  series: number[]
  /** Whether a later attempt goes on with the pairs that are still marked. */
  isResumable: boolean
  planned: Planned
}

/** Calculates pairs; those of orders that are filled as a whole give their lines instead. */
const CALCULATING = defineStep<PairsChunk, Counts & { lines: OrderLine[]; measured: Measured[] }>({
  name: 'propose',
  isOnThreads: false,
  async work({ series, isResumable, planned }, context) {
    const { sourceInputs, plan } = await inputsOf(context)
    const rows = await readInputs(series)
    return async () => {
      const lines: OrderLine[] = []
      const day = new DayOfPairs(planned)
      const { counts, isAdvance } = await calculateMarked(context.sync, rows, {
        ...{ sourceInputs, plan },
        resultOf(pair, input) {
          const result = propose(input)
          day.add(pair, input, result)
          const line = orderLineOf(sourceInputs.supplierTerms, pair, input, result)
          if (line) lines.push(line)
          return line ? null : result
        },
      })
      return {
        result: { ...counts, lines, measured: day.groups },
        isAdvance: isResumable && isAdvance,
      }
    }
  },
})

/** Calculates the lines of orders that are filled. */
const RAISING = defineStep<{ raises: [number, Raise][]; isResumable: boolean }, Counts>({
  name: 'raise',
  isOnThreads: false,
  async work({ raises, isResumable }, context) {
    const inputs = await inputsOf(context)
    const rows = await readInputs(raises.map(([series]) => series))
    const raiseOf = new Map(raises)
    const resultOf: ResultOf = (pair, input) =>
      raiseQuantity(raiseOf.get(pair.series)!, input, propose(input))
    return async () => {
      const marked = await calculateMarked(context.sync, rows, { ...inputs, resultOf })
      return { result: marked.counts, isAdvance: isResumable && marked.isAdvance }
    }
  },
})

const sourceInputsOf = ({ source, share }: ChunkContext) =>
  share('inputs', () => readSourceInputs(source))

/** What all pairs of a run are calculated from, besides their own rows: its classes among it, so that these come first. */
async function inputsOf(context: ChunkContext) {
  const sourceInputs = await sourceInputsOf(context)
  const plan = await context.share('plan', () => TransferPlan.make(context.source, sourceInputs))
  return { sourceInputs, plan }
}

/** Calculates pairs in the caller's transaction; for a sync their marks are taken, but for those that are calculated later. */
async function calculateMarked(sync: number | null, rows: PlanningRow[], work: Work) {
  if (sync === null) return { counts: await calculatePairs(rows, work), isAdvance: false }
  const later = new Set<number>()
  // The marks are removed first, so that a decision made meanwhile marks its pair for the next run.
  const marked = await takeMarks(rows.map(({ ID }) => ID))
  const counts = await calculatePairs(rows, {
    ...work,
    resultOf(pair, input) {
      const result = work.resultOf(pair, input)
      if (!result) later.add(pair.series)
      return result
    },
  })
  // If this process ends, another one continues with the pairs that are still marked, or begins anew.
  const left = marked.filter((ID) => later.has(ID))
  await markAgain(left)
  return { counts, isAdvance: left.length < marked.length }
}

/** Only an incremental sync may skip pairs whose inputs have not changed. */
async function isIncremental(sync: number | null): Promise<boolean> {
  if (sync === null) return false
  const row = await SELECT.one.from(Syncs).columns('mode').where({ ID: sync })
  return row?.mode === 'incremental'
}

/** The pairs of a source, in order. @param scope null for all of them */
async function allPairs(source: number, scope: Scope | null): Promise<number[]> {
  const from = scope ? 'restock.PairPlanning' : 'restock.Series'
  const rows = (await SELECT.from(from)
    .columns('ID')
    .where({ ...scope, source_ID: source })
    .orderBy('ID')) as { ID: number }[]
  return rows.map(({ ID }) => Number(ID))
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
