import { RestockError } from '../../client/index.ts'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { confirms } from '../confirm.ts'
import { Failure } from '../errors.ts'
import { note, print, printJson, printJsonLine } from '../output.ts'
import { count, toSafeText } from '../text.ts'
import { layoutOf } from './layout.ts'
import { readPages } from './pages.ts'
import type { ManyOptions } from './many.ts'
import type { Reason } from './reasons.ts'
import type { DataOf, Proposal } from '../../client/index.ts'

/** What is decided, and how it is told. */
interface Deciding {
  decision: { action: 'approve' } | { action: 'reject'; reason: Reason | undefined }
  verb: string
  done: string
}

type Outcome = DataOf<'post', '/proposals/decisions'>['results'][number]

const MOST = 1000
/** Decisions in one call: few enough for an answer within its time. */
const CALL = 100

/** Shows what the filters choose with its totals, then decides about that: each in the version that was shown. */
export async function decideAll(options: ManyOptions, deciding: Deciding): Promise<void> {
  const { decision, verb, done } = deciding
  const { due, urgency, location, sku, supplier, comment } = options
  const client = openClient()
  const filter = { status: ['pending' as const], urgency, location, sku, supplier, due }
  const { rows, next } = await readPages(client, { ...filter, sort: 'urgency' }, MOST)
  const say = options.json ? note : print
  if (!rows.length) return note('There are no such proposals.')
  layoutOf(rows, false).forEach(say)
  say(totalOf(rows))
  if (next !== null) note(`These are the first ${MOST}; there are more.`)
  if (options.dryRun) return
  if (!options.yes && !(await confirms(`${verb} ${rows.length === 1 ? 'it' : 'them'}?`))) {
    throw new Failure(`Nothing was ${done.toLowerCase()}.`)
  }
  const results: Outcome[] = []
  for (let at = 0; at < rows.length; at += CALL) {
    const decisions = rows.slice(at, at + CALL).map(({ id, version }) => ({
      ...decision,
      ...{ id, expected_version: version, comment },
    }))
    const answer = await client
      .call('post', '/proposals/decisions', { body: { decisions } })
      .catch((error: unknown) => {
        if (at || mayHaveBegun(error)) tellRest(results, decisions.length, deciding)
        throw error
      })
    results.push(...dataOf(answer, ['results', 'summary']).results)
    if (options.json) (rows.length > CALL ? printJsonLine : printJson)(answer)
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
