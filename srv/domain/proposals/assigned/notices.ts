// What people are told of proposals: a colleague asks or passes on, or nobody decided in time. It gives nobody a right.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { inTransaction } from '../../../base/cap/context.ts'
import { Notices, Proposals, readAs } from '../../../base/database/entities.ts'
import { inChunks, toDecimal, toPage, type PageQuery } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { refusedField } from '../../../base/input.ts'
import { APPROVING_ROLES } from '../../../base/roles.ts'
import { DAY_MS } from '../../../base/time/days.ts'
import {
  findPerson,
  isWithin,
  listPeople,
  noSuchProposal,
  type Person,
  type Predicate,
  predicateOf,
  whoMayApprove,
} from '../../authority/index.ts'
import { alreadyDecided, recordEvents } from '../decide/transition.ts'
import { afterPosition } from '../list.ts'
import { assertRole, findProposal, rowsOfReader } from '../readers.ts'
import { undecidedStatuses } from '../stored/flow.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

export type NoticeKind = 'asked' | 'passed_on' | 'escalated'

export interface NewNotice {
  ID?: string
  user: string
  kind: NoticeKind
  proposal: number
  fromUser: string
  text: string | null
}

export async function tell(notices: NewNotice[], at = new Date().toISOString()) {
  if (!notices.length) return
  await INSERT.into(Notices).entries(
    notices.map((notice) => ({ ID: randomUUID(), ...notice, at, doneAt: null, mailedAt: null })),
  )
}

const caller = () => cds.context!.user.id

const LONGEST = 1000

/** @throws Refusal invalid_parameter */
function assertText(text: string, target: string) {
  if (text.length > LONGEST) throw refusedField(target, 'invalid_long', { most: LONGEST })
}

/**
 * Writes a comment about a proposal; who is named in it by `@name` is told. It decides nothing, and answers what the
 * caller was asked about this proposal.
 * @throws Refusal proposal_not_found, insufficient_scope; invalid_parameter where nobody has that name
 */
export const commentOn = (input: { ID: number; text: string }) =>
  inTransaction(() => storeComment(input))

async function storeComment({ ID, text }: { ID: number; text: string }) {
  assertRole(APPROVING_ROLES)
  const comment = text.trim()
  if (!comment) throw refusedField('text', 'invalid_blank')
  assertText(comment, 'text')
  const proposal = await findProposal(ID)
  const named = await peopleNamedIn(comment)
  for (const person of named) await assertSees(person, ID, 'text')
  const fromUser = caller()
  await recordEvents([proposal], 'commented', comment)
  await UPDATE.entity(Notices)
    .set({ doneAt: new Date().toISOString() })
    .where({ user: fromUser, proposal: ID, kind: 'asked', doneAt: null })
  const asked = named.filter(({ id }) => id !== fromUser)
  await tell(
    asked.map(({ id }) => ({ user: id, kind: 'asked', proposal: ID, fromUser, text: comment })),
  )
}

/** A name follows `@` and ends with the word; an id may itself be an address of mail. */
const NAMES = /(?<![\w.])@([^\s,;:!?()<>"]+)/g

async function peopleNamedIn(text: string): Promise<Person[]> {
  const people = await listPeople()
  const found = new Map<string, Person>()
  for (const [, written = ''] of text.matchAll(NAMES)) {
    const person = personCalled(written, people)
    if (!person) throw refusedField('text', 'invalid_name', { name: written })
    found.set(person.id, person)
  }
  return [...found.values()]
}

/** By the id, or by what stands before its `@` where that is one person's alone. */
function personCalled(written: string, people: Person[]): Person | undefined {
  const name = written.replace(/(?<![.'’])[.'’]+$/, '').toLowerCase()
  const isCalled = ({ id }: Person) => id.toLowerCase() === name
  const exact = people.find(isCalled)
  if (exact) return exact
  const alike = people.filter(({ id }) => id.toLowerCase().split('@')[0] === name)
  return alike.length === 1 ? alike[0] : undefined
}

/** Nobody learns of a line that they do not see. @throws Refusal invalid_parameter */
async function assertSees(person: Person, ID: number, target: string) {
  if (await seesProposal(person, ID)) return
  throw refusedField(target, 'invalid_unseen', { name: person.id })
}

export const seesProposal = async ({ rows }: Person, ID: number) =>
  !rows ||
  Boolean(await SELECT.one.from(Proposals).columns('ID').where({ ID }).where(predicateOf(rows)))

/** The most lines that are passed on at once. */
const MOST_LINES = 1000

interface PassingOn {
  proposals: number[]
  /** Who may approve all of them. */
  to: string
  comment?: string | null
}

/**
 * Passes undecided lines on to somebody who may approve them, who is told. It decides nothing, and takes no right away.
 * @throws Refusal proposal_not_found, proposal_already_decided, insufficient_scope, batch_too_large; invalid_parameter
 * where that person may not approve them
 */
export const passOn = (input: PassingOn) => inTransaction(() => storePassing(input))

async function storePassing({ proposals: ids, to, comment = null }: PassingOn) {
  assertRole(APPROVING_ROLES)
  if (comment) assertText(comment, 'comment')
  const fromUser = caller()
  if (to === fromUser) throw refusedField('to', 'invalid_self')
  const wanted = [...new Set(ids)]
  if (!wanted.length || wanted.length > MOST_LINES) {
    const text = `1 to ${MOST_LINES} lines are passed on at once, not ${wanted.length}.`
    throw new Refusal('batch_too_large', text)
  }
  const lines = await readUndecided(wanted)
  await assertMayApprove(to, lines)
  const told = await readAs<{ proposal: number }>(
    SELECT.from(Notices)
      .columns('proposal')
      .where({ user: to, kind: 'passed_on', fromUser, doneAt: null, proposal: { in: wanted } }),
  )
  const before = new Set(told.map(({ proposal }) => Number(proposal)))
  const fresh = lines.filter(({ ID }) => !before.has(ID))
  await recordEvents(fresh, 'passed_on', comment ? `${to}: ${comment}`.slice(0, LONGEST) : to)
  await tell(
    fresh.map(({ ID }) => ({ user: to, kind: 'passed_on', proposal: ID, fromUser, text: comment })),
  )
  return lines.length
}

async function readUndecided(ids: number[]): Promise<Proposal[]> {
  const visible = await rowsOfReader()
  const query = SELECT.from(Proposals).where({ ID: { in: ids } })
  if (visible) void query.where(visible)
  const rows = (await query) as unknown as ProposalRow[]
  const byID = new Map(rows.map((row) => [row.ID, toProposal(row)]))
  return ids.map((ID) => {
    const proposal = byID.get(ID)
    if (!proposal) throw noSuchProposal(ID)
    if (!undecidedStatuses().includes(proposal.status)) throw alreadyDecided(proposal)
    return proposal
  })
}

/** The limits of a day count the lines of each supplier together. */
async function assertMayApprove(to: string, lines: Proposal[]) {
  for (const own of Map.groupBy(lines, (line) => `${line.supplier} ${line.currency}`).values()) {
    const able = await whoMayApproveAll(own)
    if (able.includes(to)) continue
    throw refusedField('to', 'invalid_approver', { names: able.slice(0, 5).join(', ') || '–' })
  }
  const person = await findPerson(to)
  for (const { ID } of lines) if (person) await assertSees(person, ID, 'to')
}

function whoMayApproveAll(lines: Proposal[]): Promise<string[]> {
  const values = lines.map(({ value }) => (value === null ? null : Number(value)))
  const isKnown = values.every((value) => value !== null)
  const worth = {
    line: isKnown ? Math.max(...values).toFixed(2) : null,
    day: isKnown ? values.reduce((sum, value) => sum + value, 0).toFixed(2) : null,
    currency: lines[0]!.currency ?? null,
  }
  return whoMayApprove(worth, [...new Set(lines.map(({ location }) => location))], Infinity)
}

/** A condition on proposals: those of which the caller is told. */
export const toldOfMe = (): Predicate =>
  isWithin('ID', SELECT.from(Notices).columns('proposal').where({ user: caller(), doneAt: null }))

/** A notice with what it is about. */
export interface Notice {
  ID: string
  kind: NoticeKind
  proposal: number
  fromUser: string
  at: string
  text: string | null
  sku: string
  location: string
  supplier: string | null
  orderBy: string | null
  value: string | null
  currency: string | null
  valueAtRisk: string | null
}

const COLUMNS = ['ID', 'kind', 'proposal', 'fromUser', 'at', 'text'] as const
const OF_PROPOSAL = ['sku', 'location', 'supplier', 'orderBy', 'value', 'currency', 'valueAtRisk']

/** What the caller is told and has neither answered nor decided, the newest first. */
export async function listNotices({ after, limit }: PageQuery) {
  const visible = await rowsOfReader()
  const undecided = SELECT.from(Proposals)
    .columns('ID')
    .where({ status: { in: undecidedStatuses() } })
  if (visible) void undecided.where(visible)
  const query = SELECT.from(Notices)
    .columns(...COLUMNS)
    .where({ user: caller(), doneAt: null, proposal: { in: undecided } })
    .orderBy('at desc', 'ID desc')
    .limit(limit + 1)
  if (after) {
    const keys = [
      { column: 'at', descending: true },
      { column: 'ID', descending: true },
    ]
    void query.where(cds.parse.expr(afterPosition(keys, JSON.parse(after) as unknown[])))
  }
  const rows = await readAs<Notice>(query)
  const page = toPage(rows, limit, ({ at, ID }) => JSON.stringify([at, ID]))
  return { ...page, data: await withProposals(page.data) }
}

export type UnsentNotice = Awaited<ReturnType<typeof unsentNotices>>[number]

/** What somebody is told since a time and was not written about; without lines that they may no longer see. */
export async function unsentNotices({ id: user, rows: visible }: Person, since: string) {
  const undecided = SELECT.from(Proposals)
    .columns('ID')
    .where({ status: { in: undecidedStatuses() } })
  if (visible) void undecided.where(predicateOf(visible))
  const rows = await readAs<Notice>(
    SELECT.from(Notices)
      .columns(...COLUMNS)
      .where({ user, doneAt: null, mailedAt: null, at: { '>=': since } })
      .where({ proposal: { in: undecided } })
      .orderBy('at', 'ID'),
  )
  return withProposals(rows)
}

const KEPT_MS = 90 * DAY_MS

/** Removes what nobody is shown any more, because the proposal is decided or gone. */
export const removeFormerNotices = () =>
  DELETE.from(Notices).where({
    at: { '<': new Date(Date.now() - KEPT_MS).toISOString() },
    proposal: {
      'not in': SELECT.from(Proposals)
        .columns('ID')
        .where({ status: { in: undecidedStatuses() } }),
    },
  })

type Known = Pick<
  Proposal,
  'ID' | 'sku' | 'location' | 'supplier' | 'orderBy' | 'value' | 'currency' | 'valueAtRisk'
>

/** Adds what the proposals are about. */
async function withProposals<N extends { proposal: number }>(notices: N[]) {
  const known = new Map<number, Omit<Known, 'ID'>>()
  for (const chunk of inChunks([...new Set(notices.map(({ proposal }) => proposal))])) {
    const rows = await readAs<Known>(
      SELECT.from(Proposals)
        .columns('ID', ...OF_PROPOSAL)
        .where({ ID: { in: chunk } }),
    )
    for (const { ID, ...row } of rows) {
      const money = { value: toDecimal(row.value, 2), valueAtRisk: toDecimal(row.valueAtRisk, 2) }
      known.set(Number(ID), { ...row, ...money })
    }
  }
  return notices.flatMap((notice) => {
    const of = known.get(Number(notice.proposal))
    return of ? [{ ...notice, proposal: Number(notice.proposal), ...of }] : []
  })
}
