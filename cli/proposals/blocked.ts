import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { components } from '../../client/index.ts'

type BlockedPair = components['schemas']['BlockedPair']

/** `restock proposals blocked` */
export function blockedCommand(): Command {
  return apiCommand('blocked', 'list what cannot be proposed, and what each is missing', [
    'proposals blocked',
    'proposals blocked --limit 200 --json',
  ])
    .option('--limit <n>', 'at most so many lines, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'go on after an earlier answer')
    .action(blocked)
}

interface Options {
  limit?: number
  cursor?: string
  json?: true
}

async function blocked({ json, ...query }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/proposals/blocked', { query })
  if (json) return printJson(answer)
  const pairs = rowsOf(answer, ['sku', 'location', 'reason', 'missing'])
  if (!pairs.length) return note('Nothing is blocked.')
  print(
    tableOf<BlockedPair>(
      [
        { head: 'SKU', value: (row) => row.sku },
        { head: 'Location', value: (row) => row.location },
        { head: 'Missing', value: (row) => row.missing.replaceAll('_', ' ') },
        { head: 'Why', value: (row) => row.reason },
      ],
      pairs,
    ),
  )
  const { next_cursor: next } = answer.data
  if (next) note(`There are more: go on with --cursor ${next}`)
}
