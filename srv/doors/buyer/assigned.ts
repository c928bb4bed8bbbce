// Whose work a line is, what colleagues are asked, and what is passed on to whom.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { isRefusal, toODataError } from '../../base/errors.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { message } from '../../base/texts/texts.ts'
import type { Predicate } from '../../domain/authority/index.ts'
import {
  assignedTo,
  commentOn,
  listNotices,
  type Notice,
  passOn,
  readAssigned,
  toldOfMe,
} from '../../domain/proposals/index.ts'
import type { ShownProposal } from './computed-elements.ts'
import { formatMoney } from './supplier-orders.ts'
import { numbersIn, proposalIdOf, rejectParameter } from './visible-proposal.ts'

interface PassInput {
  proposals?: string | null
  to?: string | null
  comment?: string | null
}

const MOST = 1_000

export function handleAssigned(service: cds.ApplicationService) {
  service.on('addComment', 'Proposals', async (req: Request<{ text?: string | null }>) => {
    const ID = proposalIdOf(req)!
    await inWords(req, () => commentOn({ ID, text: req.data.text ?? '' }))
    return service.run(SELECT.one.from('BuyerService.Proposals').where({ ID })) as unknown
  })
  service.on('passOn', async (req: Request<PassInput>) => {
    const { proposals: text, to, comment } = req.data
    const proposals = numbersIn(text)
    if (!proposals.length || proposals.length > MOST)
      return rejectParameter(req, 'proposals', message('handover_numbers_invalid', { most: MOST }))
    return inWords(req, () => passOn({ proposals, to: to ?? '', comment: comment || null }))
  })
}

/** A refusal in the language of the user. */
async function inWords<T>(req: Request, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { sentence, target } = error.options
    if (sentence && target)
      return rejectParameter(req, target, message(sentence.key, sentence.args))
    throw toODataError(error, error.message)
  }
}

/** The conditions of the filters that are no columns. */
const WHOSE: Record<string, () => Promise<Predicate> | Predicate> = {
  isMine: () => assignedTo('me', 'source'),
  isTeams: () => assignedTo('team', 'source'),
  isForMe: toldOfMe,
}

type Token = string | { ref?: string[]; xpr?: Token[]; val?: unknown }

/** The conditions that a filter asks for, by the name of the element or `responsible` with the user. */
export async function readWhose(tokens: Token[]): Promise<Map<string, Predicate>> {
  const found = new Map<string, Predicate>()
  for (const [at, token] of tokens.entries()) {
    if (typeof token === 'string') continue
    const [name = ''] = token.ref ?? []
    if (Object.hasOwn(WHOSE, name)) found.set(name, await WHOSE[name]!())
    if (name === 'responsible') {
      const user = userIn(tokens[at + 2])
      found.set(keyOf(user), await assignedTo(user, 'source'))
    }
    if (token.xpr) for (const entry of await readWhose(token.xpr)) found.set(...entry)
  }
  return found
}

const userIn = (token: Token | undefined) =>
  String((token as { val?: unknown } | undefined)?.val ?? '')

const keyOf = (user: string) => `responsible ${user}`

/** The condition that stands for this element; undefined where it is a column. */
export const whoseOf = (
  conditions: ReadonlyMap<string, Predicate>,
  name: string | undefined,
  value: Token | undefined,
) => conditions.get(name === 'responsible' ? keyOf(userIn(value)) : (name ?? ''))

/** Adds who is responsible. @param requested elements; undefined for all */
export async function addResponsible(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (requested && !requested.has('responsible')) return
  const known = rows.filter(({ source, sku, location }) => source && sku && location)
  const assigned = await readAssigned(
    known.map(({ source, sku, location, supplier }) => ({
      ...{ source: Number(source), sku: sku!, location: location! },
      supplier: supplier ?? null,
    })),
  )
  for (const [at, row] of known.entries()) row.responsible = assigned[at]!.responsible
}

const MOST_NOTICES = 1_000
const SHOWN = 50

/** What the user is told, for the first page: lines that came together are one. */
export async function readHomeNotices() {
  const { data, next } = await listNotices({ limit: MOST_NOTICES })
  const together = Map.groupBy(data, ({ ID, kind, fromUser: by, text, at }) =>
    JSON.stringify(kind === 'asked' ? [ID] : kind === 'escalated' ? [kind, by] : [by, text, at]),
  )
  const groups = [...together.values()]
  return {
    notices: groups.slice(0, SHOWN).map(toHomeNotice),
    moreNotices: next !== null || groups.length > SHOWN,
  }
}

function toHomeNotice(notices: Notice[]) {
  const { kind, at, fromUser: by, text, proposal, sku, location } = notices[0]!
  const isOne = notices.length === 1
  const what = isOne
    ? message('notice_line', { sku: plainCode(sku), location: plainCode(location) })
    : message('workbench_lines', { count: notices.length })
  const key = kind === 'passed_on' && text ? 'notice_passed_on_with' : `notice_${kind}`
  return {
    ...{ kind, at, text: message(key, { by, what, text: text ?? '' }) },
    valueText: sumText(notices, 'value'),
    riskText: sumText(notices, 'valueAtRisk'),
    href: isOne ? `#/Proposals(${proposal})` : '#/?view=forme',
  }
}

/** `1,000 EUR + 20 USD` */
const sumText = (notices: Notice[], name: 'value' | 'valueAtRisk') =>
  [...Map.groupBy(notices, ({ currency }) => currency)]
    .map(
      ([currency, own]) =>
        [currency, own.reduce((sum, row) => sum + Number(row[name]), 0)] as const,
    )
    .map(([currency, sum]) => formatMoney(sum, currency))
    .join(' + ')
