import cds, { type Request } from '@sap/cds'
import { message } from '../texts.ts'

const { SELECT } = cds.ql

export interface Visible {
  ID: number
  number: string
  quantity: number
  calculatedQuantity: number
  moq: number
  lotSize: number
}

/** The number of the proposal that a request is bound to, or leads through. */
export const proposalOf = (req: Request): number | undefined => {
  const [first] = req.params as (number | { ID?: number })[]
  const ID = typeof first === 'object' ? first.ID : first
  return ID === undefined ? undefined : Number(ID)
}

/** A proposal as the present user sees it, read through the service with all its restrictions. */
export async function seen(service: cds.ApplicationService, ID: number) {
  const row = (await service.run(
    SELECT.one
      .from('BuyerService.Proposals')
      .columns('ID', 'quantity', 'calculatedQuantity', 'moq', 'lotSize')
      .where({ ID }),
  )) as Omit<Visible, 'number'> | null
  if (!row) return undefined
  const visible: Visible = {
    ...{ ID, number: `prop_${ID}`, quantity: Number(row.quantity) },
    calculatedQuantity: Number(row.calculatedQuantity),
    ...{ moq: Number(row.moq), lotSize: Number(row.lotSize) },
  }
  return visible
}

/** The proposal of a request. Refuses with 404 what the user does not see. */
export async function visibleProposal(service: cds.ApplicationService, req: Request) {
  const ID = proposalOf(req)
  const proposal = ID === undefined ? undefined : await seen(service, ID)
  if (proposal) return proposal
  const code = 'proposal_not_found'
  return req.reject({ status: 404, code, message: message(code) } as never)
}
