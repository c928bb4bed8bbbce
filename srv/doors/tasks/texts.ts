// The texts of tasks: their one definition, attributes and description.
import { facade } from '../../base/cap/facade.ts'
import { routeOfPlatform, settings } from '../../base/settings/config.ts'
import { rationaleIn } from '../../base/texts/sentences.ts'
import type { Language } from '../../base/texts/texts.ts'
import { findProposal } from '../../domain/proposals/index.ts'
import { linesOf } from './feed/advance.ts'
import { subjectOf, type Task } from './task.ts'

export const DEFINITION = 'ORDER_PROPOSAL_APPROVAL'

/** Attributes by rank. */
export const ATTRIBUTES = {
  supplier: { type: 'STRING' },
  location: { type: 'STRING' },
  quantity: { type: 'INTEGER' },
  value: { type: 'STRING', format: 'CURRENCY' },
  neededBy: { type: 'DATE' },
  daysOfSupply: { type: 'INTEGER' },
} as const

type AttributeCode = keyof typeof ATTRIBUTES

const LONGEST = 255

/** The attributes that have a value. */
export function attributesOf(task: Task): { code: AttributeCode; value: string }[] {
  const { supplier, location, quantity, value, currency, neededBy, daysOfSupply } = task
  const values: Record<AttributeCode, string | number | null> = {
    supplier,
    location,
    quantity,
    value: value === null ? null : currency ? `${currency} ${value}` : value,
    neededBy,
    daysOfSupply,
  }
  return Object.entries(values).flatMap(([code, value]) =>
    value === null ? [] : [{ code: code as AttributeCode, value: String(value).slice(0, LONGEST) }],
  )
}

// What a task is about, in words.

/** Plain text: the subject and the reason; for an order line by line. */
export async function descriptionOf(task: Task, language: Language): Promise<string> {
  const lines = task.proposal === null ? await linesOf({ task: task.localId, excluded: false }) : []
  const ids = task.proposal === null ? lines.map(({ proposal }) => proposal) : [task.proposal]
  const why: string[] = []
  for (const ID of ids.toSorted((a, b) => a - b)) {
    const proposal = await findProposal(ID)
    const { sku, location } = proposal
    const quantity = lines.find(({ proposal: of }) => of === ID)?.quantity ?? proposal.quantity
    const head = task.proposal === null ? `${quantity} × ${sku} (${location}): ` : ''
    why.push(head + rationaleIn(language, proposal))
  }
  return [subjectOf(task, language), '', ...why].join('\n')
}

/** The configured address of the service, or the platform's; in development its own. Never one that a caller names. */
export const publicUrl = (): string =>
  (settings().publicUrl ?? routeOfPlatform() ?? facade.server?.url ?? '').replace(/\/$/, '')

const OBJECT_PAGE = '/apps/buyer/index.html#/Proposals({id})'
const LIST = '/apps/buyer/index.html'

/** The object page of a proposal; the list for a whole order. */
export function uiLinkOf({ proposal }: Pick<Task, 'proposal'>, base: string): string {
  if (proposal === null) return base + LIST
  const link = (settings().tasks.uiLink ?? base + OBJECT_PAGE).replace('{id}', String(proposal))
  return link.startsWith('/') ? base + link : link
}
