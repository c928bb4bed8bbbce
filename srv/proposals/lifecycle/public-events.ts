// The events about proposals that other systems receive.
import { EVENT_TYPES, type EventType, type NewEvent } from '../../store/events/publish.ts'
import type { Proposal } from '../to-proposal.ts'

type Changed = Pick<Proposal, 'ID' | 'version' | 'quantity' | 'sku' | 'location' | 'status'>

/** Steps that have no type of their own are updates; `status` tells them apart. */
function typeOf(event: string): EventType {
  const type = `proposal.${event}`
  return EVENT_TYPES.find((known) => known === type) ?? 'proposal.updated'
}

export const publicEvents = (proposals: Changed[], event: string): NewEvent[] =>
  proposals.map(({ ID, sku, location, status, quantity, version }) => ({
    type: typeOf(event),
    data: { id: `prop_${ID}`, sku, location, status, quantity, version },
  }))
