import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { message } from '../../base/texts/texts.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { readAhead } from '../../domain/proposals/index.ts'

export interface VisibleProposal {
  ID: number
  source: number
  sku: string
  location: string
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

const COLUMNS = [
  ...(['ID', 'source', 'sku', 'location', 'status'] as const),
  ...(['quantity', 'calculatedQuantity', 'moq', 'lotSize'] as const),
]

/** Proposals read through the service with all its restrictions, by number: those that the user may see. */
async function findVisibleProposals(
  service: cds.ApplicationService,
  IDs: number[],
): Promise<Map<number, VisibleProposal>> {
  const rows = (await service.run(
    SELECT.from('BuyerService.Proposals')
      .columns(...COLUMNS)
      .where({ ID: { in: IDs } }),
  )) as VisibleProposal[]
  return new Map(rows.map((row) => [Number(row.ID), toVisible(row)]))
}

const toVisible = ({
  ID,
  source,
  sku,
  location,
  status,
  ...row
}: VisibleProposal): VisibleProposal => ({
  ...{ ID: Number(ID), source: Number(source), sku, location, status },
  quantity: Number(row.quantity),
  calculatedQuantity: Number(row.calculatedQuantity),
  ...{ moq: Number(row.moq), lotSize: Number(row.lotSize) },
})

/** `A-100 at L1: text`, in the language of the request. */
export const ofProposal = (
  { sku, location }: Pick<VisibleProposal, 'sku' | 'location'>,
  text: string,
) => message('of_proposal', { sku: plainCode(sku), location: plainCode(location), text })

/** Reads one proposal, ahead for those that the call decides next. */
export const findVisibleProposal = (service: cds.ApplicationService, ID: number) =>
  readAhead('visible', ID, (IDs) => findVisibleProposals(service, IDs))

/** The proposal in the path of a request. @throws 404 where the user may not see it */
export async function readVisibleProposal(service: cds.ApplicationService, req: Request) {
  const ID = proposalIdOf(req)
  const proposal = ID === undefined ? undefined : await findVisibleProposal(service, ID)
  if (proposal) return proposal
  throw notFound()
}

export const notFound = () =>
  Object.assign(new Error(message('proposal_not_found')), {
    ...{ code: 'proposal_not_found', status: 404 },
  })

const NUMBERS = /^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/

/** The numbers that an app sends as a text, joined by commas; none where it is anything else. */
export const numbersIn = (text: string | null | undefined): number[] =>
  NUMBERS.test(text ?? '') ? text!.split(',').map(Number) : []
