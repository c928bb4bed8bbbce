import type { AuditVerification as Found } from '../../client/index.ts'
import { dataOf, openClient } from '../client.ts'
import { apiCommand, group, type Json, option, textLike } from '../command.ts'
import { Failure } from '../errors.ts'
import { note, print, printJson, toSafeText } from '../output.ts'

/** What may be wrong with an entry, or with what the trail tells of. */
const PROBLEMS: Record<string, string> = {
  changed: 'was changed',
  missing: 'is missing',
  inserted: 'was inserted later',
  reordered: 'is at another position',
  unlinked: 'follows an entry that is missing or was changed',
  truncated: 'or those after it are missing: the end of the trail was cut off',
  evidence_missing: 'has lost its evidence',
  evidence_changed: 'has other evidence than when it was sealed',
  head_changed: 'does not match the head of the trail, or that head bears no seal of this service',
  head_key_unknown: 'has a head whose seal no known encryption key opens',
  head_not_found: 'does not match the expected head',
  anchor_not_found: 'is not the end of the chain that the service sealed last',
  anchor_changed: 'is not what the service keeps outside the database, or that was changed',
  proposal_changed: 'does not stand as its events say',
  proposal_missing: 'is gone, though events tell of it',
}

/** Entries that one call verifies, so that no call takes long. */
const PIECE = 100_000

const HEAD = textLike(/^\d{1,9}:[0-9a-f]{64}$/, 'a head as an earlier run printed it: seq:hash')

/** `restock audit verify` */
export const auditCommand = () =>
  group('audit', 'verify the audit trail', [
    apiCommand({
      name: 'verify',
      summary: 'verify the whole audit trail; exit code 1 where it is broken',
      examples: [
        'audit verify',
        'audit verify --expect-head 1042:5f0c…',
        'audit verify --from 1042:5f0c…',
      ],
      options: [
        option(
          '--expect-head <head>',
          'a head that an earlier run printed: it must still be there',
          HEAD,
        ),
        option(
          '--from <head>',
          'a head that an earlier run printed: only what came later is read',
          HEAD,
        ),
      ],
      run: verify,
    }),
  ])

interface Options extends Json {
  expectHead?: string
  from?: string
}

async function verify({ expectHead, from, json }: Options): Promise<void> {
  const client = openClient()
  let late = 0
  for (let next = from, pieces = 1; ; pieces++) {
    const query = { expect_head: expectHead, from: next, limit: PIECE }
    const answer = await client.call('get', '/audit/verification', { query })
    const found = dataOf(answer, ['valid', 'entries', 'head', 'broken'])
    late += found.late
    if (found.next_from) {
      next = found.next_from
      if (!json) note(`${entriesOf(found.entries)} so far.`)
      continue
    }
    if (!json) printFound({ ...found, late })
    else printJson(pieces === 1 ? answer : { text: JSON.stringify({ ...found, late }) })
    if (!found.broken) return
    throw new Failure(`The audit trail is broken: ${problemOf(found.broken)}.`)
  }
}

function printFound({ valid, entries, head, late }: Found): void {
  if (valid) print(`The audit trail is intact: ${entriesOf(entries)}.`)
  if (late) note(`${entriesOf(late)} are older than what was sealed before them.`)
  print(`Head: ${head}`)
}

/** In words. */
export function problemOf({ seq, problem, object }: NonNullable<Found['broken']>): string {
  const what = toSafeText(object ?? 'the trail')
  const subject = seq ? `entry ${seq}${object ? ` (${what})` : ''}` : what
  return `${subject} ${PROBLEMS[problem] ?? toSafeText(problem)}`
}

const entriesOf = (number: number) => (number === 1 ? '1 entry' : `${number} entries`)
