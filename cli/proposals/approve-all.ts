import { RestockError } from '../../client/index.ts'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { confirms } from '../confirm.ts'
import { Failure } from '../errors.ts'
import { note, print, printJson, printJsonLine } from '../output.ts'
import { count, toSafeText } from '../text.ts'
import { layoutOf } from './layout.ts'
import { type ProposalsQuery, readPages } from './pages.ts'
import type { DataOf, Proposal } from '../../client/index.ts'

export interface Filters {
  due?: true
  urgency?: ProposalsQuery['urgency']
  location?: string
  sku?: string
  supplier?: string
}

interface Options extends Filters {
  comment?: string
  dryRun?: true
  yes?: true
  json?: true
}

type Outcome = DataOf<'post', '/proposals/decisions'>['results'][number]

const MOST = 1000
/** Decisions in one call: few enough for an answer within its time. */
const CALL = 100

/** Shows what the filters choose with its totals, then approves that: each in the version that was shown. */
export async function approveAll(options: Options): Promise<void> {
  const { due, urgency, location, sku, supplier, comment } = options
  const client = openClient()
  const order_by_until = due && new Date().toISOString().slice(0, 10)
  const filter = { status: ['pending' as const], urgency, location, sku, supplier, order_by_until }
  const { rows, next } = await readPages(client, { ...filter, sort: 'urgency' }, MOST)
  const say = options.json ? note : print
  if (!rows.length) return note('There are no such proposals.')
  layoutOf(rows, false).forEach(say)
  say(totalOf(rows))
  if (next !== null) note(`These are the first ${MOST}; there are more.`)
  if (options.dryRun) return
  if (!options.yes && !(await confirms(`Approve ${rows.length === 1 ? 'it' : 'them'}?`))) {
    throw new Failure('Nothing was approved.')
  }
  const results: Outcome[] = []
  for (let at = 0; at < rows.length; at += CALL) {
    const decisions = rows.slice(at, at + CALL).map(({ id, version }) => ({
      ...{ id, action: 'approve' as const, expected_version: version, comment },
    }))
    const answer = await client
      .call('post', '/proposals/decisions', { body: { decisions } })
      .catch((error: unknown) => {
        if (at || mayHaveBegun(error)) tellRest(results, decisions.length)
        throw error
      })
    results.push(...dataOf(answer, ['results', 'summary']).results)
    if (options.json) (rows.length > CALL ? printJsonLine : printJson)(answer)
  }
  tellResults(results, say)
}

function totalOf(rows: Proposal[]): string {
  const units = rows.reduce((sum, { quantity }) => sum + quantity, 0)
  const cents = new Map<string, bigint>()
  for (const { value, currency } of rows) {
    if (!value) continue
    const known = cents.get(currency ?? '') ?? 0n
    cents.set(currency ?? '', known + BigInt(value.replace('.', '')))
  }
  const money = [...cents].map(([currency, sum]) => {
    const digits = String(sum).padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)} ${currency}`.trim()
  })
  const without = rows.filter(({ value }) => !value).length
  const unknown = without ? [`${count(without, 'proposal')} without a value`] : []
  const parts = [count(rows.length, 'proposal'), count(units, 'unit'), ...money, ...unknown]
  return toSafeText(`Total: ${parts.join(', ')}.`)
}

/** A call that ended without an answer may have decided some of its proposals. */
const mayHaveBegun = (error: unknown) =>
  error instanceof RestockError && (error.status === null || error.status >= 500)

function tellRest(results: Outcome[], open: number): void {
  const done = results.filter(({ status }) => status === 'ok').length
  note(
    `Approved ${done} so far, which stays. Of the next ${open} it is not known: ` +
      'the same command again shows and approves what is still pending.',
  )
}

function tellResults(results: Outcome[], say: (line: string) => void): void {
  const made = results.filter((each) => each.status === 'ok')
  const waiting = made.filter(({ proposal }) => proposal.status === 'awaiting_second_approval')
  for (const each of results) {
    if (each.status === 'error') {
      note(`${each.id ?? '?'}: ${each.error.message} (${each.error.code})`)
    }
  }
  const second = waiting.length ? `, ${waiting.length} of them wait for a second approver` : ''
  say(`Approved ${made.length} of ${results.length}${second}.`)
  const refused = results.length - made.length
  if (refused) throw new Failure(`Not approved: ${count(refused, 'proposal')}, see above.`)
}
