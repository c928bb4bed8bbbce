import cds from '@sap/cds'
import { type ProposalInput, type ProposalResult, propose } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { Syncs } from '../../store/entities.ts'
import { reportProgress } from '../../store/runs.ts'
import { statusesBefore } from '../../store/proposal-flow.ts'
import { setProposedOn, unmark } from '../../store/proposal-marks.ts'
import { apply } from './apply.ts'
import { type Blocked, replaceBlocked } from './blocked-pairs.ts'
import { dueSeries } from './due-series.ts'
import {
  inputsOf,
  nextInputs,
  type PairInputs,
  type PlanningRow,
  type Scope,
  toInputs,
} from '../inputs/pair-inputs.ts'
import { readPairProposals } from './pair-proposals.ts'
import { inTurn } from './source-queue.ts'
import { moveKeyOf, reconcile, reconcileMove, type Step, supersede } from './reconcile.ts'
import { settingOf } from '../inputs/setting.ts'
import { SupplierOrders } from './supplier-orders.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'
import { proposeMove } from '../transfers/move.ts'
import { TransferPlan } from '../transfers/plan.ts'

const { SELECT } = cds.ql

const CHUNK = 1_000
/** Another instance may have written to the same pairs meanwhile: then a chunk is done again. */
const TRIES = 3

interface Task {
  source: number
  sync: number | null
  /** Only these pairs; all where it is absent. */
  scope?: Scope | null
}

/** Recomputes a source's proposals and blocked pairs, a chunk of pairs in one transaction each. */
export const runProposals = (task: Task) => inTurn(task.source, () => run(task))

async function run({ source, sync, scope }: Task) {
  const setting = await settingOf(source)
  const plan = await TransferPlan.make(source, setting)
  const orders = new SupplierOrders(setting.policies)
  // An order to a supplier is made of all its lines, a move of two pairs: also of those that the change is not about.
  const isWider = setting.policies.fillsOrders || settings().redistribution
  const within = isWider ? {} : (scope ?? {})
  const due = (await isIncremental(sync)) ? await dueSeries(source, setting) : null
  const total = due?.length ?? (await countPairs(source))
  const result = { proposed: 0, blocked: 0 }
  let done = 0
  const chunk = async (rows: PlanningRow[], resultOf: ResultOf) => {
    const pairs = rows.map((row) => toInputs(row, setting))
    const settled = await again(() =>
      cds.tx(async () => {
        // First, so that a decision that comes meanwhile marks its pair again.
        if (sync !== null) await unmark(pairs.map(({ series }) => series))
        const settled = await settle(pairs, plan, resultOf)
        await reportProgress(sync, 'proposing', { done, total, unit: 'pairs' })
        return settled
      }),
    )
    result.proposed += settled.proposed
    result.blocked += settled.blocked
  }
  const pages = due ? inputsInChunks(due) : allInputs(source, within)
  for await (const rows of pages) {
    done += rows.length
    await chunk(rows, (pair, input) => {
      const own = propose(input)
      return orders.take(pair, input, own) ? null : own
    })
  }
  for await (const rows of inputsInChunks(orders.fill())) {
    await chunk(rows, (pair, input) => orders.raise(pair, input, propose(input)))
  }
  if (!scope) {
    await cds.tx(async () => {
      await supersedeOrphans(source)
      if (sync !== null && !due) await setProposedOn(source, setting.asOf)
    })
  }
  return result
}

/** Only a sync that reads what changed may leave out the other pairs. */
async function isIncremental(sync: number | null): Promise<boolean> {
  if (sync === null) return false
  const row = await SELECT.one.from(Syncs).columns('mode').where({ ID: sync })
  return row?.mode === 'incremental'
}

async function* allInputs(source: number, scope: Scope): AsyncGenerator<PlanningRow[]> {
  for (let after = 0; ;) {
    const rows = await nextInputs(source, after, CHUNK, scope)
    if (!rows.length) return
    yield rows
    after = Number(rows.at(-1)!.ID)
  }
}

async function* inputsInChunks(series: number[]): AsyncGenerator<PlanningRow[]> {
  for (let at = 0; at < series.length; at += CHUNK) yield inputsOf(series.slice(at, at + CHUNK))
}

async function countPairs(source: number): Promise<number> {
  const { total } = (await SELECT.one
    .from('restock.Series')
    .columns('count(*) as total')
    .where({ source_ID: source })) as { total: unknown }
  return Number(total)
}

async function again<T>(work: () => Promise<T>): Promise<T> {
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

/** Null for a pair that is settled later. */
type ResultOf = (pair: PairInputs, input: ProposalInput) => ProposalResult | null

/** Calculates pairs and carries out what that means for their proposals, in the caller's transaction. */
async function settle(pairs: PairInputs[], plan: TransferPlan, resultOf: ResultOf) {
  const knownFor = await readPairProposals(pairs.map(({ series }) => series))
  const steps: Step[] = []
  const blocked: Blocked[] = []
  for (const pair of pairs) {
    const { open, moves, lastRejected, approved } = knownFor(pair.series)
    if (!pair.input) {
      steps.push(...supersede([...open, ...moves]))
      continue
    }
    const input = pair.input(approved + plan.incoming(pair), plan.outgoing(pair))
    const result = resultOf(pair, input)
    if (result?.kind === 'blocked') blocked.push({ pair, missing: result.missing })
    if (!result) continue
    steps.push(...movesOf(pair, plan, approved, moves))
    steps.push(...reconcile({ pair, input, result, open, lastRejected }))
  }
  await apply(steps)
  await replaceBlocked(pairs, blocked)
  const proposed = steps.filter((step) => step.do !== 'supersede').length
  return { proposed, blocked: blocked.length }
}

/** Each move to a pair counts as supply of the next one. */
function movesOf(pair: PairInputs, plan: TransferPlan, approved: number, open: Proposal[]) {
  const steps: Step[] = []
  const keys = new Set<string | null>()
  let coming = approved + plan.kept(pair)
  for (const move of plan.movesTo(pair)) {
    const input = pair.input!(coming, plan.outgoing(pair))
    const result = proposeMove(input, move)
    steps.push(...reconcileMove({ pair, input, result, open }, move.from))
    keys.add(moveKeyOf(pair, move.from))
    coming += move.quantity
  }
  return [...supersede(open.filter(({ openKey }) => !keys.has(openKey))), ...steps]
}

/** Pairs that the source no longer has need no order. */
export async function supersedeOrphans(source: number) {
  const rows: unknown = await SELECT.from('restock.Proposals as p')
    .where`p.source.ID = ${source} and p.status in ${statusesBefore('supersede')} and not exists (select 1 as one from restock.Series as s where s.ID = p.series)`
  const proposals = (rows as ProposalRow[]).map(toProposal)
  for (let at = 0; at < proposals.length; at += CHUNK) {
    const chunk = proposals.slice(at, at + CHUNK)
    await apply(chunk.map((proposal) => ({ do: 'supersede', proposal })))
  }
}
