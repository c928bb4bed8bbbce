import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { message } from '../texts.ts'
import { plainCode } from '../plain-code.ts'

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

type Row = Omit<VisibleProposal, 'name'> & { sku: string; location: string }

const COLUMNS = [
  ...(['ID', 'sku', 'location', 'status'] as const),
  ...(['quantity', 'calculatedQuantity', 'moq', 'lotSize'] as const),
]

/** Proposals read through the service with all its restrictions, by number: those that the user may see. */
export async function findVisibleProposals(
  service: cds.ApplicationService,
  IDs: number[],
): Promise<Map<number, VisibleProposal>> {
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns(...COLUMNS)
      .where({ ID: { in: IDs } }),
  )) as Row[]
  return new Map(rows.map((row) => [Number(row.ID), toVisible(row)]))
}

const toVisible = ({ ID, sku, location, status, ...row }: Row): VisibleProposal => ({
  ...{ ID: Number(ID), name: `${plainCode(sku)}, ${location} (prop_${ID})` },
  status,
  quantity: Number(row.quantity),
  calculatedQuantity: Number(row.calculatedQuantity),
  ...{ moq: Number(row.moq), lotSize: Number(row.lotSize) },
})

/** The proposal in the path of a request. @throws 404 where the user may not see it */
export async function readVisibleProposal(service: cds.ApplicationService, req: Request) {
  const ID = proposalIdOf(req)
  const proposal =
    ID === undefined ? undefined : (await findVisibleProposals(service, [ID])).get(ID)
  if (proposal) return proposal
  const code = 'proposal_not_found'
  return req.reject({ status: 404, code, message: message(code) } as never)
}
