import cds from '@sap/cds'
import { propose } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { Syncs } from '../../store/entities.ts'
import { inChunks } from '../../store/in-chunks.ts'
import { reportProgress, stopSignalOf } from '../../store/runs.ts'
import { withSource } from '../../store/source-turn.ts'
import { statusesBefore } from '../../store/proposal-flow.ts'
import { markAgain, setProposedOn, takeMarks } from '../../store/proposal-marks.ts'
import { applyChanges } from './apply-changes.ts'
import { calculatePairs, type ResultOf } from './calculate-pairs.ts'
import { dueSeries, markedWithOrders } from './due-series.ts'
import { readInputs, readNextInputs, type PlanningRow, type Scope } from '../inputs/pair-inputs.ts'
import { readSetting } from '../inputs/setting.ts'
import { updateNoHistory } from './no-history.ts'
import { noteStaleData } from './note-stale-data.ts'
import { updateSourceExceptions } from './source-exceptions.ts'
import { SupplierOrders } from './supplier-orders.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { TransferPlan } from '../transfers/plan.ts'

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
