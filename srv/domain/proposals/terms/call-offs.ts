// From which contract each open proposal calls off, and what the contract has left for it.
import { callOffs, contractsFor } from '../../../../engine/proposal/index.ts'
import { CurrentDrafts, readAs } from '../../../base/database/entities.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { allowsStep, openStatuses, statusAfter } from '../stored/flow.ts'
import type { CallOff, ValueContract } from '../stored/proposal.ts'
import type { Proposal } from '../to-proposal.ts'
import { type Draft, readDraftsOf } from './drafts.ts'
import { isCounted } from './erp-orders.ts'

type Calling = Pick<
  Proposal,
  'ID' | 'source' | 'kind' | 'status' | 'flag' | 'location' | 'supplier' | 'sku' | 'quantity'
>

/** An order that the ERP has is in what the contract has left; before that an approved proposal takes it. */
const isCalling = (proposal: Pick<Calling, 'kind' | 'status' | 'flag'>) =>
  proposal.kind === 'purchase' && (allowsStep(proposal.status, 'decline') || isCounted(proposal))

interface Contracts {
  callOff: CallOff | null
  valueContract: ValueContract | null
}

const NONE: Contracts = { callOff: null, valueContract: null }

/** Each with its contract; null where it calls off from none. */
export async function withCallOffs<P extends Calling>(
  proposals: readonly P[],
): Promise<(P & Contracts)[]> {
  const found = new Map<number, Contracts>()
  for (const [source, skus] of await readAgreed(proposals.filter(isCalling)))
    for (const entry of await readOfSource(source, skus)) found.set(...entry)
  return proposals.map((proposal) => ({ ...proposal, ...(found.get(proposal.ID) ?? NONE) }))
}

/** The SKUs for which there are contracts, by source. */
async function readAgreed(proposals: readonly Calling[]): Promise<Map<number, string[]>> {
  if (!proposals.length) return new Map()
  const rows = await readAs<{ source_ID: number; sku: string }>(
    SELECT.distinct
      .from(CurrentDrafts)
      .columns('source_ID', 'sku')
      .where({
        source_ID: { in: [...new Set(proposals.map(({ source }) => source))] },
        sku: { in: [...new Set(proposals.map(({ sku }) => sku))] },
        kind: 'contract',
      }),
  )
  const bySource = Map.groupBy(rows, (row) => Number(row.source_ID))
  return new Map([...bySource].map(([source, own]) => [source, own.map(({ sku }) => sku)]))
}

/** Of all proposals of these SKUs, since what one takes another has not. */
async function readOfSource(source: number, skus: string[]): Promise<[number, Contracts][]> {
  const days = await readLocalDays(source)
  const contracts = await readDraftsOf(source, days, { sku: { in: skus }, kind: 'contract' })
  const rows = (await SELECT.from('restock.Proposals')
    .columns('ID', 'kind', 'status', 'flag', 'sku', 'location', 'supplier', 'quantity')
    .where({
      series: {
        in: SELECT.from('restock.Series')
          .columns('ID')
          .where({ source_ID: source, sku: { in: skus } }),
      },
      status: { in: [...openStatuses(), statusAfter('approve')] },
    } as never)) as Calling[]
  const calls = Map.groupBy(
    rows
      .map((row) => ({ ...row, kind: row.kind ?? 'purchase', quantity: Number(row.quantity) }))
      .filter(isCalling)
      .sort((a, b) => rankOf(a) - rankOf(b) || a.ID - b.ID),
    ({ sku }) => sku,
  )
  const bySku = Map.groupBy(contracts, ({ sku }) => sku)
  return [...bySku].flatMap(([sku, own]) => {
    const wanted = calls.get(sku) ?? []
    const called = callOffs(own, wanted, days.usual)
    return wanted.map((call): [number, Contracts] => {
      const callOff = called.get(call.ID) ?? null
      return [
        call.ID,
        { callOff, valueContract: callOff ? null : overMoney(own, call, days.usual) },
      ]
    })
  })
}

/** The oldest over money that has something left. Units of others may be of the same money, so no quantity follows from it. */
function overMoney(contracts: Draft[], call: Calling, day: string): ValueContract | null {
  const open = contracts.filter(({ remainingValue }) => Number(remainingValue) > 0)
  const [contract] = contractsFor(open, call, day)
  if (!contract) return null
  const { document, line, due, agreedValue, remainingValue, currency } = contract
  return {
    document,
    line,
    due,
    currency,
    agreedValue: agreedValue!,
    remainingValue: remainingValue!,
  }
}

/** What is approved comes first, and then the older proposal. */
const rankOf = ({ status }: Pick<Calling, 'status'>) => (status === statusAfter('approve') ? 0 : 1)
