import { writeFileSync } from 'node:fs'
import { Option } from 'commander'
import { openClient } from '../client.ts'
import { apiCommand, collect } from '../command.ts'
import { Failure } from '../errors.ts'
import { note, printDocument, printJson } from '../output.ts'
import type { Command } from 'commander'
import type { Proposal } from '../../client/index.ts'

interface Options {
  status?: string[]
  format: 'csv' | 'json'
  out?: string
  json?: true
}

/** `restock proposals export` */
export function exportCommand(): Command {
  return apiCommand('export', "write proposals as CSV for the ERP's own import", [
    'proposals export --out orders.csv',
    'proposals export --status approved --format json',
  ])
    .option('--status <status>', 'repeat for several (default: approved)', collect)
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'write to this file, not to stdout')
    .action(exportProposals)
}

async function exportProposals(options: Options): Promise<void> {
  const format = options.json ? 'json' : options.format
  const client = openClient()
  const status = (options.status ?? ['approved']) as Proposal['status'][]
  const answer = await client.call('get', '/proposals/export', { query: { status, format } })
  if (options.out !== undefined) write(options.out, answer.text)
  else if (format === 'json') printJson(answer)
  else printDocument(answer.text)
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(`The file cannot be written: ${reason}`)
  }
  note(`Written to ${file}.`)
}
