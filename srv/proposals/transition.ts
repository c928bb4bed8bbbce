import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { Refusal } from '../errors.ts'
import { publish } from '../store/events.ts'
import { publicEvents } from './public-events.ts'
import { canGo, isOpen } from './states.ts'
import { type Proposal, type ProposalStatus, toProposal } from './to-proposal.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

export interface Actor {
  id: string
  via: string
}

/** Who acts in the present request, and through which door. */
export function actor(): Actor {
  const user = cds.context?.user
  return { id: user?.id ?? 'system', via: (user?.attr as { via?: string })?.via ?? 'system' }
}

export async function readProposal(ID: number): Promise<Proposal> {
  const row = await SELECT.one.from('restock.Proposals').where({ ID })
  if (!row) throw new Refusal('proposal_not_found', `There is no proposal prop_${ID}.`)
  return toProposal(row)
}

/** Locks the proposal until the transaction ends, so that its checks and its decision see one state. */
export async function lockProposal(ID: number): Promise<Proposal> {
  await SELECT.one.from('restock.Proposals').columns('ID').where({ ID }).forUpdate()
  return readProposal(ID)
}

/** 409 with the present status, for a change that this status does not allow. */
export const alreadyDecided = ({ ID, status }: { ID: number; status: ProposalStatus }) =>
  new Refusal(
    'proposal_already_decided',
    `prop_${ID} is ${status}: this is not possible any more.`,
    {
      members: { current_status: status },
    },
  )

export interface Change {
  to: ProposalStatus
  event: string
  set?: Record<string, unknown>
  comment?: string | null
}

/**
 * The only way to another status: one conditional update and its event in the caller's transaction.
 * Of several at once exactly one wins, the others get 409.
 */
export async function transition(proposal: Proposal, { to, event, set, comment }: Change) {
  if (!canGo(proposal.status, to)) throw alreadyDecided(proposal)
  const { ID, status, version } = proposal
  const at = new Date().toISOString()
  const changes = {
    status: to,
    version: version + 1,
    updatedAt: at,
    openKey: isOpen(to) ? proposal.openKey : null,
    ...set,
  }
  const changed = await UPDATE.entity('restock.Proposals')
    .set(changes)
    .where({ ID, status, version })
  if (changed !== 1) throw alreadyDecided(await readProposal(ID))
  await recordEvents([{ ...proposal, ...changes } as Proposal], event, comment ?? null)
  return await readProposal(ID)
}

/** Appends what happened, in the transaction of the change. */
export async function recordEvents(
  proposals: Pick<Proposal, 'ID' | 'version' | 'quantity' | 'sku' | 'location' | 'status'>[],
  event: string,
  comment: string | null = null,
) {
  if (!proposals.length) return
  const at = new Date().toISOString()
  const { id, via } = actor()
  await INSERT.into('restock.ProposalEvents').entries(
    proposals.map(({ ID, version, quantity }) => ({
      ID: randomUUID(),
      proposal: ID,
      version,
      at,
      actor: id,
      via,
      event,
      quantity,
      comment,
    })),
  )
  await publish(publicEvents(proposals, event))
}
