import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { changedText } from '../../base/texts/sentences.ts'
import { codeNames, hasMessage, message, written } from '../../base/texts/texts.ts'
import { initialStatus, readAhead } from '../../domain/proposals/index.ts'

interface VisibleProposal {
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

// Refusals of the domain as OData errors, in the language of the buyer.

/** @throws 400 invalid_parameter */
export const rejectParameter = (req: Request, target: string, text: string) =>
  req.reject({ status: 400, code: 'invalid_parameter', target, message: text })

/** Elements of a proposal that its refusal mentions. */
interface RefusedProposal {
  sku: string
  location: string
  status: ProposalStatus
  calculatedQuantity: number
  moq: number
  lotSize: number
}

/** An OData error with code and status of the refusal. It has no details: UI5 would show each as another error. */
export async function toODataRefusal(
  error: unknown,
  refused: RefusedProposal,
  quantity?: number | null,
) {
  if (!isRefusal(error)) return error
  const text = ofProposal(refused, await refusalText(error, refused, quantity))
  return toODataError(error, text, { target: targetOf(error) })
}

const targetOf = ({ options }: Refusal) => (options.target === 'quantity' ? 'quantity' : undefined)

async function refusalText(refusal: Refusal, refused: RefusedProposal, quantity?: number | null) {
  const { code, options } = refusal
  switch (code) {
    case 'proposal_stale': {
      const fresh = options.members?.fresh as { quantity: number } | null
      const [was, now] = [Number(refused.calculatedQuantity), fresh?.quantity]
      if (now === undefined) return message('stale_unknown', { was })
      const why = now === was ? message('stale_terms') : message('proposal_stale', { was, now })
      const isRecalculated = refused.status === initialStatus()
      return `${why} ${message(isRecalculated ? 'stale_recalculated' : 'stale_kept')}`
    }
    case 'version_mismatch':
      return changedText(refusal)
    case 'proposal_already_decided': {
      const nameOf = await codeNames('ProposalStatuses')
      return message(code, { status: nameOf(options.members?.current_status) })
    }
    case 'quantity_not_orderable':
      return notOrderableText(refusal, refused, Number(quantity))
    case 'approval_limit_exceeded': {
      const { key, args } = options.sentence ?? { key: refusal.message }
      return `${message(code)} ${message(key, args)}`
    }
    default:
      return hasMessage(code) ? message(code) : refusal.message
  }
}

function notOrderableText(
  { options }: Refusal,
  refused: RefusedProposal,
  quantity: number,
): string {
  const { moq, lotSize: lot, calculatedQuantity: calculated } = refused
  const key = quantity < moq ? 'rule_moq' : quantity % lot ? 'rule_lot' : 'rule_most'
  const rule = message(key, { moq, lot, calculated })
  const refusal = message('quantity_not_orderable', { quantity, rule })
  const orderable = (options.details ?? []).map((each) => written(Number(each.message)))
  return orderable.length
    ? `${refusal} ${message('nearest', { near: orderable.join(' / ') })}`
    : refusal
}
