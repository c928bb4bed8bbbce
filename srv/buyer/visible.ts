import cds, { type Request } from '@sap/cds'
import { texts } from './texts/index.ts'

const { SELECT } = cds.ql

interface Visible {
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

/**
 * The proposal of a request as its user sees it, read through the service with all its restrictions.
 * Refuses with 404 what the user does not see.
 */
export async function visibleProposal(service: cds.ApplicationService, req: Request) {
  const ID = proposalOf(req)
  const row =
    ID === undefined
      ? undefined
      : await service.run(
          SELECT.one
            .from('BuyerService.Proposals')
            .columns('ID', 'quantity', 'calculatedQuantity', 'moq', 'lotSize')
            .where({ ID }),
        )
  if (!row) {
    const message = texts().message.proposal_not_found
    return req.reject({ status: 404, code: 'proposal_not_found', message } as never)
  }
  const { quantity, calculatedQuantity, moq, lotSize } = row
  const visible: Visible = {
    ...{ ID: ID!, number: `prop_${ID}`, quantity: Number(quantity) },
    ...{
      calculatedQuantity: Number(calculatedQuantity),
      moq: Number(moq),
      lotSize: Number(lotSize),
    },
  }
  return visible
}
