// Exceptions, which no order can solve, as the app shows and settles them.
import type { Request } from '@sap/cds'
import type { Exception } from '#cds-models/BuyerService'
import { isRefusal, type Refusal, toODataError } from '../../base/errors.ts'
import { type Facts, sentenceOf } from '../../base/texts/sentences.ts'
import { hasMessage, message, writtenDay } from '../../base/texts/texts.ts'
import { codeAndName } from '../../base/texts/codes.ts'
import { mayApprove } from '../../base/roles.ts'
import { settleException as settle } from '../../domain/proposals/index.ts'
import { proposalIdOf as numberIn } from './visible-proposal.ts'

type ShownException = Partial<Exception>

/** Settles the exception that the request is bound to. @returns its number */
export async function settleException(req: Request): Promise<number> {
  const ID = Number(numberIn(req))
  const { comment } = req.data as { comment?: string | null }
  try {
    await settle({ ID, comment: comment || null })
  } catch (error) {
    throw isRefusal(error) ? toODataError(error, textOfRefusal(error)) : error
  }
  return ID
}

function textOfRefusal({ code, message: text }: Refusal) {
  const key = code === 'not_found' ? 'exception_not_found' : code
  return code !== 'approval_limit_exceeded' && hasMessage(key) ? message(key) : text
}

export function showExceptions(rows: ShownException[]) {
  const isDecider = mayApprove()
  for (const row of rows) {
    if ('message' in row) row.message = textOf(row)
    if ('sku' in row) row.skuText = row.sku ? codeAndName(row.sku, row.skuName) : null
    if ('supplier' in row)
      row.supplierText = row.supplier ? codeAndName(row.supplier, row.supplierName) : null
    if ('settledAt' in row) row.canSettle = isDecider && row.settledAt === null
  }
}

/** The sentence in the language of the user; as it was stored if the ERP's order has no number. */
function textOf(row: ShownException) {
  const { kind, quantity, document, promisedOn, wantedOn, facts } = row
  if (facts) return sentenceOf(JSON.parse(facts) as Facts)
  const isUndated = kind === 'expedite' && promisedOn === null
  const key = isUndated ? 'exception_expedite_undated' : `exception_${kind}`
  const hasText = hasMessage(key) && (document || (promisedOn === null && !isUndated))
  if (!hasText || quantity === undefined) return row.message
  return message(key, {
    ...{ quantity, document },
    ...{ promisedOn: writtenDay(promisedOn), wantedOn: writtenDay(wantedOn) },
  })
}
