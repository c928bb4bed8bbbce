// Approving and rejecting: one proposal, or all that filters choose.
import { type DataOf, type Proposal, type Restock, RestockError } from '../../client/index.ts'
import { type Body, dataOf, openClient, type Query } from '../client.ts'
import { apiCommand, codes, collect, type Json, option, wholeNumber } from '../command.ts'
import { Failure, WrongUsage } from '../errors.ts'
import { count, money, note, print, printJson, printJsonLine } from '../output.ts'
import { confirms } from '../terminal.ts'
import { layoutOf } from './layout.ts'
import { readPages } from './list.ts'

const FILTERS = ['due', 'urgency', 'location', 'sku', 'supplier'] as const

interface ManyOptions extends Pick<Query<'/proposals'>, (typeof FILTERS)[number]>, Json {
  all?: true
  comment?: string
  dryRun?: true
  yes?: true
}

interface ApproveOptions extends ManyOptions {
  quantity?: number
  expectedVersion?: number
}

type Reason = Body<'post', '/proposals/{id}/cancel'>['reason']

const REASONS: Record<Reason, true> = {
  not_needed: true,
  too_much: true,
  too_early: true,
  wrong_supplier: true,
  price: true,
  discontinued: true,
  other: true,
}

/** `--reason` of a refusal. */
export const REASON = ['--reason <code>', 'why', Object.keys(REASONS)] as const
export const COMMENT = option('--comment <text>', 'kept in the history of the proposal')

/** What is decided, and how it is told. */
interface Deciding {
  decision: { action: 'approve' } | { action: 'reject'; reason?: Reason }
  verb: 'Approve' | 'Reject'
  done: 'Approved' | 'Rejected'
}

const APPROVING: Deciding = { decision: { action: 'approve' }, verb: 'Approve', done: 'Approved' }
const rejecting = (reason?: Reason): Deciding => ({
  decision: { action: 'reject', reason },
  verb: 'Reject',
  done: 'Rejected',
})

/** `restock proposals approve <id>`, and `approve --all` with filters */
export const approveCommand = () =>
  apiCommand({
    name: 'approve',
    summary: 'approve a proposal, or all that filters choose, as shown',
    examples: [
      'proposals approve prop_1042',
      'proposals approve prop_1042@7 --quantity 160 --comment "promotion in week 49"',
      'proposals approve --all --due --supplier S-7',
    ],
    args: { '[id]': 'the proposal, e.g. prop_1042; prop_1042@7 as its version 7 was seen' },
    options: [
      option('--quantity <units>', 'order this quantity instead', wholeNumber(1)),
      COMMENT,
      option(
        '--expected-version <n>',
        'refuse if the proposal has changed since this version',
        wholeNumber(1),
      ),
      ...manyOptions(APPROVING),
    ],
    async run(options: ApproveOptions, id?: string) {
      if (isOfOne(id, options)) return approveOne(id, options)
      if (options.quantity ?? options.expectedVersion) {
        throw new WrongUsage(
          '--quantity and --expected-version are for one proposal, not for --all.',
        )
      }
      await decideAll(options, APPROVING)
    },
  })

/** `restock proposals reject <id>`, and `reject --all` with filters */
export const rejectCommand = () =>
  apiCommand({
    name: 'reject',
    summary: 'reject a proposal, or all that filters choose, as shown',
    examples: [
      'proposals reject prop_1042 --reason too_much',
      'proposals reject --all --supplier S-7 --reason wrong_supplier',
    ],
    args: { '[id]': 'the proposal, e.g. prop_1042' },
    options: [option(...REASON), COMMENT, ...manyOptions(rejecting())],
    async run(options: ManyOptions & { reason?: Reason }, id?: string) {
      const { reason, comment, json } = options
      if (!isOfOne(id, options)) return decideAll(options, rejecting(reason))
      const query = { reason, comment }
      const answer = await openClient().call('delete', '/proposals/{id}', { path: { id }, query })
      if (json) return printJson(answer)
      print(`Rejected ${id}.`)
    },
  })

/** The options by which many are chosen. */
function manyOptions({ verb, done }: Deciding) {
  const dryRun = `with --all: show what would be ${done.toLowerCase()}, and ${verb.toLowerCase()} nothing`
  return [
    option('--all', 'all pending proposals that the following choose, up to 1,000'),
    option('--due', 'those that an order of tomorrow would bring too late'),
    option('--urgency <urgency>', 'repeat for several, e.g. due', collect),
    ...codes('location', 'sku', 'supplier'),
    option('--dry-run', dryRun),
    option('--yes', 'do not ask'),
  ]
}

/** @throws WrongUsage unless the command names either one proposal or many */
function isOfOne(id: string | undefined, options: ManyOptions): id is string {
  const isFiltered = [...FILTERS, 'dryRun' as const].some((name) => options[name] !== undefined)
  if (id === undefined && !options.all) throw new WrongUsage('Give the id of a proposal, or --all.')
  if (id !== undefined && (options.all ?? isFiltered))
    throw new WrongUsage('Filters and --all are for many proposals: give no id.')
  return id !== undefined
}

async function approveOne(given: string, options: ApproveOptions): Promise<void> {
  const client = openClient()
  const [, id = given, seen] = /^(prop_\d+)@(\d{1,9})$/.exec(given) ?? []
  const shown = await show(client, id)
  if (shown && !options.yes && !(await confirms('Approve it?'))) throw new Failure('Left as it is.')
  const body = {
    quantity: options.quantity,
    comment: options.comment,
    expected_version: options.expectedVersion ?? (seen ? Number(seen) : shown?.version),
  }
  const answer = await client.call('post', '/proposals/{id}/approve', { path: { id }, body })
  if (options.json) return printJson(answer)
  const approved = dataOf(answer, ['quantity', 'sku', 'location', 'status'])
  const isWaiting = approved.status === 'awaiting_second_approval'
  print(
    `Approved ${id}: ${approved.quantity} of ${approved.sku} at ${approved.location}` +
      `${isWaiting ? ', now waiting for a second approver' : ''}.`,
  )
}

/** What is about to be approved; undefined where the key may not read it, or the approval will say what is wrong. */
async function show(client: Restock, id: string): Promise<Proposal | undefined> {
  try {
    const answer = await client.call('get', '/proposals/{id}', { path: { id } })
    const shown = dataOf(answer, ['id', 'version', 'quantity', 'status', 'calculation'])
    layoutOf([shown], false).forEach(note)
    return shown
  } catch (error) {
    if (!(error instanceof RestockError)) throw error
    if (error.code === 'insufficient_scope') {
      note('The key may not read proposals: what is approved is the proposal as it stands now.')
    }
    return undefined
  }
}

type Outcome = DataOf<'post', '/proposals/decisions'>['results'][number]

const MOST = 1000
/** Decisions in one call: few enough for an answer within its time. */
const CALL = 100

/** Shows what the filters choose with its totals, then decides about that: each in the version that was shown. */
async function decideAll(options: ManyOptions, deciding: Deciding): Promise<void> {
  const { decision, verb, done } = deciding
  const { due, urgency, location, sku, supplier, comment, json } = options
  const client = openClient()
  const filter = { status: ['pending' as const], urgency, location, sku, supplier, due }
  const { rows, next } = await readPages(client, { ...filter, sort: 'urgency' }, MOST)
  const say = json ? note : print
  if (!rows.length) return note('There are no such proposals.')
  for (const line of [...layoutOf(rows, false), totalOf(rows)]) say(line)
  if (next !== null) note(`These are the first ${MOST}; there are more.`)
  if (options.dryRun) return
  if (!options.yes && !(await confirms(`${verb} ${rows.length === 1 ? 'it' : 'them'}?`))) {
    throw new Failure(`Nothing was ${done.toLowerCase()}.`)
  }
  const results: Outcome[] = []
  for (let at = 0; at < rows.length; at += CALL) {
    const decisions = rows.slice(at, at + CALL).map(({ id, version }) => ({
      ...decision,
      id,
      expected_version: version,
      comment,
    }))
    const answer = await client
      .call('post', '/proposals/decisions', { body: { decisions } })
      .catch((error: unknown) => {
        if (at || mayHaveBegun(error)) tellRest(results, decisions.length, deciding)
        throw error
      })
    results.push(...dataOf(answer, ['results', 'summary']).results)
    if (json) (rows.length > CALL ? printJsonLine : printJson)(answer)
  }
  tellResults(results, deciding, say)
}

function totalOf(rows: Proposal[]): string {
  const units = rows.reduce((sum, { quantity }) => sum + quantity, 0)
  const cents = new Map<string, bigint>()
  for (const { value, currency } of rows) {
    if (!value) continue
    const known = cents.get(currency ?? '') ?? 0n
    cents.set(currency ?? '', known + BigInt(value.replace('.', '')))
  }
  const values = [...cents].map(([currency, sum]) => {
    const digits = String(sum).padStart(3, '0')
    return money(`${digits.slice(0, -2)}.${digits.slice(-2)}`, currency)
  })
  const without = rows.filter(({ value }) => !value).length
  const unknown = without ? [`${count(without, 'proposal')} without a value`] : []
  const parts = [count(rows.length, 'proposal'), count(units, 'unit'), ...values, ...unknown]
  return `Total: ${parts.join(', ')}.`
}

/** A call that ended without an answer may have decided some of its proposals. */
const mayHaveBegun = (error: unknown) =>
  error instanceof RestockError && (error.status === null || error.status >= 500)

function tellRest(results: Outcome[], open: number, { verb, done: told }: Deciding): void {
  const done = results.filter(({ status }) => status === 'ok').length
  note(
    `${told} ${done} so far, which stays. Of the next ${open} it is not known: ` +
      `the same command again shows and ${verb.toLowerCase()}s what is still pending.`,
  )
}

function tellResults(results: Outcome[], { done }: Deciding, say: (line: string) => void): void {
  const made = results.filter((each) => each.status === 'ok')
  const waiting = made.filter(({ proposal }) => proposal.status === 'awaiting_second_approval')
  for (const each of results) {
    if (each.status === 'error') {
      note(`${each.id ?? '?'}: ${each.error.message} (${each.error.code})`)
    }
  }
  const second = waiting.length ? `, ${waiting.length} of them wait for a second approver` : ''
  say(`${done} ${made.length} of ${results.length}${second}.`)
  const refused = results.length - made.length
  if (refused)
    throw new Failure(`Not ${done.toLowerCase()}: ${count(refused, 'proposal')}, see above.`)
}
