import { rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import { describeRule } from './describe-rule.ts'
import { nameOf } from './key.ts'
import type { Command } from 'commander'
import type { Policy } from '../../client/index.ts'

interface Options {
  sku?: string
  location?: string
  supplier?: string
  group?: string
  limit?: number
  cursor?: string
  json?: true
}

/** `restock policies list` */
export function listCommand(): Command {
  return apiCommand('list', 'list the ordering rules', [
    'policies list',
    'policies list --sku A-100',
  ])
    .option('--sku <code>')
    .option('--location <code>')
    .option('--supplier <code>')
    .option('--group <code>')
    .option('--limit <n>', 'number of lines at most, up to 200', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'continue after an earlier answer')
    .action(list)
}

async function list({ json, ...query }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/policies', { query })
  if (json) return printJson(answer)
  const policies = rowsOf(answer, ['level'])
  const { next_cursor } = answer.data
  if (!policies.length) {
    return note("There are no rules: the ERP's planning data and the configured values hold.")
  }
  print(
    tableOf<Policy>(
      [
        { head: 'For', value: nameOf },
        { head: 'Says', value: describeRule },
        { head: 'Set by', value: (row) => row.updated_by },
        { head: 'Set at', value: (row) => row.updated_at },
      ],
      policies,
    ),
  )
  if (next_cursor) note(`There are more: continue with --cursor ${next_cursor}`)
}
