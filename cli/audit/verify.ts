import { InvalidArgumentError } from 'commander'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { Failure } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'

const PROBLEMS: Record<string, string> = {
  changed: 'was changed',
  missing: 'is missing',
  inserted: 'was inserted later',
  reordered: 'is at another position',
  unlinked: 'follows an entry that is missing or was changed',
  truncated: 'and all entries after it are missing',
  evidence_missing: 'has lost its evidence',
  evidence_changed: 'has other evidence than when it was sealed',
  head_changed: 'does not match the head of the trail',
  head_not_found: 'does not match the expected head',
}

interface Options {
  expectHead?: string
  json?: true
}

/** `restock audit verify` */
export function verifyCommand(): Command {
  return apiCommand('verify', 'verify the whole audit trail; exit code 1 where it is broken', [
    'audit verify',
    'audit verify --expect-head 1042:5f0c…',
  ])
    .option(
      '--expect-head <head>',
      'a head that an earlier run printed: it must still be there',
      head,
    )
    .action(verify)
}

async function verify({ expectHead, json }: Options): Promise<void> {
  const client = openClient()
  const query = { expect_head: expectHead }
  const answer = await client.call('get', '/audit/verification', { query })
  const found = dataOf(answer, ['valid', 'entries', 'head', 'broken'])
  if (json) printJson(answer)
  else {
    if (found.valid) print(`The audit trail is whole: ${entriesOf(found.entries)}.`)
    if (found.late) note(`${entriesOf(found.late)} are older than what was sealed before them.`)
    print(`Head: ${toSafeText(found.head)}`)
  }
  if (found.broken) {
    const { seq, problem, object } = found.broken
    const what = object ? ` (${toSafeText(object)})` : ''
    throw new Failure(
      `The audit trail is broken: entry ${seq}${what} ${PROBLEMS[problem] ?? toSafeText(problem)}.`,
    )
  }
}

const entriesOf = (number: number) => (number === 1 ? '1 entry' : `${number} entries`)

function head(text: string): string {
  if (/^\d{1,9}:[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a head as an earlier run printed it: seq:hash.')
}
