// One decision about many proposals: each in its own transaction, so that a refused one does not undo the others.
import cds, { type Request } from '@sap/cds'
import { ownTurn } from '../../base/cap/batches.ts'
import {
  applyDecision,
  assertValidInput,
  type Decision,
  type DecisionInput,
  tellDecided,
} from './decide.ts'
import { withReadCache } from '../../domain/authority/index.ts'
import { isRefusal } from '../../base/errors.ts'
import { toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { lookBefore, withReadAhead, type Proposal } from '../../domain/proposals/index.ts'
import { toNumber } from '../../base/database/rows.ts'
import { sentenceOf } from '../../base/texts/sentences.ts'
import { message } from '../../base/texts/texts.ts'
import { rejectParameter } from './refusals.ts'
import { findVisibleProposal, notFound, ofProposal } from './visible-proposal.ts'

const MAX_PROPOSALS = 1000
const SELECTED_PROPOSAL = /^([1-9]\d{0,8})(?:@([1-9]\d{0,8}))?(?::(.*))?$/s
const POSITIVE_INTEGER = /^0*[1-9]\d{0,14}$/

/** A decision about a list of proposals. */
export interface MassDecisionInput extends DecisionInput {
  /** Numbers, each with the version shown and a quantity, both optional: `12@7,13@1:48`. */
  proposals?: string | null
}

interface SelectedProposal {
  ID: number
  version: number | null
  /** As entered, not yet checked. */
  quantity?: string
}

interface DecisionFault {
  code?: string
  status?: number
  message: string
  /** The proposal, as a path of the service: `/Proposals(12)`. */
  target?: string
}

/** Adds a warning for each refused proposal. @returns how many were decided */
export async function decideMany(
  service: cds.ApplicationService,
  req: Request<MassDecisionInput>,
  decision: Decision,
) {
  const selection = parseSelection(req, String(req.data.proposals ?? ''))
  assertValidInput(req, decision, req.data)
  const decided: Proposal[] = []
  const IDs = selection.map(({ ID }) => ID)
  await withReadAhead(IDs, () =>
    withReadCache(async () => {
      for (const selected of selection) {
        await ownTurn()
        const answer = await decideOne(service, req, decision, selected)
        if ('version' in answer) decided.push(answer)
        else req.warn(answer)
      }
    }),
  )
  tellDecided(req, decision, decided, selection.length)
  return decided.length
}

/** What is to be known before a decision about many. */
export async function readLookBefore(req: Request<MassDecisionInput>) {
  const chosen = parseSelection(req, String(req.data.proposals ?? '')).map(toChosen)
  const { refusal, ...counts } = await lookBefore(chosen)
  return { ...counts, refusal: refusal && sentenceOf(refusal) }
}

/** An invalid quantity counts as the proposed one here, and is refused at the approval. */
export const toChosen = ({ ID, quantity }: { ID: number; quantity?: string }) => {
  const units = Number(quantity)
  return { ID, quantity: Number.isSafeInteger(units) && units > 0 ? units : null }
}

/** If a number is repeated, the last one counts. */
export function parseSelection(req: Request<object>, text: string): SelectedProposal[] {
  const parts = text.split(',')
  const selection = new Map<number, SelectedProposal>()
  for (const part of parts) {
    const [, ID, version, quantity] = SELECTED_PROPOSAL.exec(part) ?? []
    if (ID) selection.set(Number(ID), { ID: Number(ID), version: toNumber(version), quantity })
  }
  if (selection.size === parts.length && selection.size <= MAX_PROPOSALS) {
    return [...selection.values()]
  }
  return rejectParameter(req, 'proposals', message('proposals_invalid', { most: MAX_PROPOSALS }))
}

/** @returns the decided proposal, or the refusal or error */
async function decideOne(
  service: cds.ApplicationService,
  req: Request<MassDecisionInput>,
  decision: Decision,
  { ID, version, quantity }: SelectedProposal,
): Promise<Proposal | DecisionFault> {
  const { user, locale } = cds.context!
  const target = `/Proposals(${ID})`
  const given = { ...req.data, version, quantity: quantity && Number(quantity) }
  try {
    return await cds.tx<Promise<Proposal>>({ user, locale }, async () => {
      if (quantity === undefined || POSITIVE_INTEGER.test(quantity))
        return applyDecision(service, ID, decision, given)
      const proposal = await findVisibleProposal(service, ID)
      if (!proposal) throw notFound()
      const text = ofProposal(proposal, message('quantity_invalid'))
      throw Object.assign(new Error(text), { code: 'invalid_parameter', status: 400 })
    })
  } catch (error) {
    const { code, status, message: text } = error as DecisionFault
    if (status && status < 500) return { code, message: text, target }
    cds.log('buyer').error(`prop_${ID} could not be decided:`, error)
    const told = toDatabaseRefusal(error)
    const [kind, sentence] = isRefusal(told)
      ? [told.code, told.code]
      : ['internal_error', 'not_decided']
    return { code: kind, message: message(sentence), target }
  }
}
