// Refusals of the state machine, in the words of a buyer.
import { isRefusal, type Refusal } from '../errors.ts'
import { fill, nameOf, texts } from './texts/index.ts'

type Row = Record<string, unknown>

/** What the refused proposal says of itself. */
export interface Refused {
  number: string
  calculatedQuantity: number
  moq: number
  lotSize: number
}

/** An OData error with the refusal's code and status; its one message says all, for each detail would be shown as another fault. */
export function toODataError(error: unknown, refused: Refused, quantity?: number | null) {
  if (!isRefusal(error)) return error
  const { code, status } = error
  const told = new Error(`${refused.number}: ${wordsOf(error, refused, quantity)}`)
  return Object.assign(told, { status, statusCode: status, code, target: targetOf(error) })
}

const targetOf = ({ options }: Refusal) => (options.target === 'quantity' ? 'quantity' : undefined)

function wordsOf(refusal: Refusal, refused: Refused, quantity?: number | null): string {
  const { message } = texts()
  const members: Row = refusal.options.members ?? {}
  switch (refusal.code) {
    case 'proposal_stale': {
      const fresh = members.fresh as { quantity: number } | null
      const [was, now] = [Number(refused.calculatedQuantity), fresh?.quantity]
      if (now === undefined) return fill(message.stale_unknown, { was })
      return now === was ? message.stale_terms : fill(message.proposal_stale, { was, now })
    }
    case 'proposal_already_decided':
      return fill(message.proposal_already_decided, {
        status: nameOf('status', members.current_status),
      })
    case 'quantity_not_orderable':
      return notOrderable(refusal, refused, quantity)
    case 'approval_limit_exceeded':
      return `${message.approval_limit_exceeded} ${refusal.message}`
    default: {
      const known = message as Record<string, string>
      return known[refusal.code] ?? refusal.message
    }
  }
}

function notOrderable({ options }: Refusal, refused: Refused, quantity?: number | null): string {
  const { message } = texts()
  const { moq, lotSize: lot, calculatedQuantity: calculated } = refused
  const wanted = Number(quantity)
  const words =
    wanted < moq ? message.rule_moq : wanted % lot ? message.rule_lot : message.rule_most
  const rule = fill(words, { moq, lot, calculated })
  const near = (options.details ?? []).map((each) => Number(each.message))
  const refusal = fill(message.quantity_not_orderable, { quantity: wanted, rule })
  if (!near.length) return refusal
  const places = near.map((_, at) => `{${at}}`).join(' / ')
  return `${refusal} ${fill(message.nearest, { near: fill(places, { ...near }) })}`
}
