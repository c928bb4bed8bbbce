import cds from '@sap/cds'
import { type Missing, propose } from '../../engine/proposal/index.ts'
import { reportProgress } from '../store/progress.ts'
import { apply } from './apply.ts'
import { namesSuppliers, nextInputs, type PairInputs, toInputs } from './inputs.ts'
import { reconcile, type Step, supersede } from './reconcile.ts'
import { OPEN_STATUSES } from './states.ts'
import { approvedSupply } from './supply.ts'
import { type Proposal, toProposal } from './to-proposal.ts'

const { DELETE, INSERT, SELECT } = cds.ql

const CHUNK = 500

/** Recomputes a source's proposals and blocked pairs, a chunk of pairs in one transaction each. */
export async function runProposals({ source, sync }: { source: number; sync: number | null }) {
  const supplierRequired = await namesSuppliers(source)
  const { total } = await SELECT.one
    .from('restock.Series')
    .columns('count(*) as total')
    .where({ source_ID: source })
  const result = { proposed: 0, blocked: 0 }
  let done = 0
  for (let after = 0; ;) {
    const rows = await nextInputs(source, after, CHUNK)
    if (!rows.length) break
    after = Number(rows.at(-1)!.ID)
    const pairs = rows.map((row) => toInputs(row, supplierRequired))
    done += rows.length
    await cds.tx(async () => {
      const { steps, blocked } = await evaluate(pairs)
      await apply(steps)
      await replaceBlocked(pairs, blocked)
      result.proposed += steps.filter((step) => step.do !== 'supersede').length
      result.blocked += blocked.length
      await reportProgress(sync, 'proposing', { done, total: Number(total), unit: 'pairs' })
    })
  }
  await cds.tx(() => supersedeOrphans(source))
  return result
}

type Blocked = { pair: PairInputs; missing: Missing[] }

async function evaluate(pairs: PairInputs[]) {
  const series = pairs.map((pair) => pair.series)
  const [open, rejected, supply] = [
    await bySeries(series, OPEN_STATUSES),
    await bySeries(series, ['rejected']),
    await approvedSupply(series),
  ]
  const steps: Step[] = []
  const blocked: Blocked[] = []
  for (const pair of pairs) {
    if (!pair.input) {
      steps.push(...supersede(open.get(pair.series) ?? []))
      continue
    }
    const result = propose(pair.input(supply.get(pair.series) ?? 0))
    if (result.kind === 'blocked') blocked.push({ pair, missing: result.missing })
    const [mine, declined] = [open.get(pair.series) ?? [], rejected.get(pair.series)?.at(-1)]
    steps.push(...reconcile(pair, result, mine, declined))
  }
  return { steps, blocked }
}

async function bySeries(series: number[], status: readonly string[]) {
  const rows = await SELECT.from('restock.Proposals')
    .where({ series: { in: series }, status: { in: [...status] } })
    .orderBy('ID')
  return Map.groupBy(rows.map(toProposal) as Proposal[], (proposal) => proposal.series)
}

async function replaceBlocked(pairs: PairInputs[], blocked: Blocked[]) {
  await DELETE.from('restock.BlockedPairs').where({
    series: { in: pairs.map(({ series }) => series) },
  })
  const entries = blocked.flatMap(({ pair, missing }) =>
    missing.map(({ missing: what, reason }) => ({
      series: pair.series,
      source_ID: pair.source,
      sku: pair.sku,
      location: pair.location,
      missing: what,
      reason,
    })),
  )
  if (entries.length) await INSERT.into('restock.BlockedPairs').entries(entries)
}

/** Pairs that the source no longer has need no order. */
export async function supersedeOrphans(source: number) {
  const rows = await SELECT.from('restock.Proposals as p')
    .where`p.source.ID = ${source} and p.status = 'pending' and not exists (select 1 as one from restock.Series as s where s.ID = p.series)`
  const proposals: Proposal[] = rows.map(toProposal)
  await apply(proposals.map((proposal) => ({ do: 'supersede', proposal })))
}
