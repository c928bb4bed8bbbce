import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { message } from '../texts.ts'
import { plainCode } from './plain-code.ts'

export interface VisibleProposal {
  ID: number
  /** For people: `A-100, L1 (prop_12)`. */
  name: string
  status: ProposalStatus
  quantity: number
  calculatedQuantity: number
  moq: number
  lotSize: number
}

/** The number of the proposal in the path of a request. */
export const proposalIdOf = (req: Request): number | undefined => {
  const [first] = req.params as (number | { ID?: number })[]
  const ID = typeof first === 'object' ? first.ID : first
  return ID === undefined ? undefined : Number(ID)
}

/** A proposal read through the service with all its restrictions; undefined where the user may not see it. */
export async function findVisibleProposal(service: cds.ApplicationService, ID: number) {
  const row = (await service.run(
    SELECT.one
      .from('BuyerService.Proposals')
      .columns(
        'ID',
        'sku',
        'location',
        'status',
        'quantity',
        'calculatedQuantity',
        'moq',
        'lotSize',
      )
      .where({ ID }),
  )) as (Omit<VisibleProposal, 'name'> & { sku: string; location: string }) | null
  if (!row) return undefined
  const visible: VisibleProposal = {
    ...{ ID, name: `${plainCode(row.sku)}, ${row.location} (prop_${ID})` },
    status: row.status,
    quantity: Number(row.quantity),
    calculatedQuantity: Number(row.calculatedQuantity),
    ...{ moq: Number(row.moq), lotSize: Number(row.lotSize) },
  }
  return visible
}

/** The proposal in the path of a request. @throws 404 where the user may not see it */
export async function readVisibleProposal(service: cds.ApplicationService, req: Request) {
  const ID = proposalIdOf(req)
  const proposal = ID === undefined ? undefined : await findVisibleProposal(service, ID)
  if (proposal) return proposal
  const code = 'proposal_not_found'
  return req.reject({ status: 404, code, message: message(code) } as never)
}
