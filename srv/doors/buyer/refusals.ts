// Refusals of the domain as OData errors, in the language of the buyer.
import type { Request } from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { changedText } from '../../base/texts/sentences.ts'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { initialStatus } from '../../domain/proposals/index.ts'
import { codeNames, hasMessage, message, written } from '../../base/texts/texts.ts'
import { ofProposal } from './visible-proposal.ts'

/** @throws 400 invalid_parameter */
export const rejectParameter = (req: Request, target: string, text: string) =>
  req.reject({ status: 400, code: 'invalid_parameter', target, message: text })

/** Elements of a proposal that its refusal mentions. */
export interface RefusedProposal {
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
