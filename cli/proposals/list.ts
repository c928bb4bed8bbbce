import { Option } from 'commander'
import { openClient } from '../client.ts'
import { apiCommand, collect, wholeNumber } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { count } from '../text.ts'
import { countRest, type ProposalsQuery, readPages } from './pages.ts'
import { layoutOf } from './layout.ts'
import { whyNone } from './why-none.ts'
import type { Command } from 'commander'

interface Options {
  status?: ProposalsQuery['status']
  urgency?: ProposalsQuery['urgency']
  due?: true
  location?: string
  sku?: string
  supplier?: string
  sort?: ProposalsQuery['sort']
  limit?: number
  cursor?: string
  why?: true
  json?: true
}

/** Most proposals in one answer of the API. */
const PAGE = 200
const DEFAULT_LIMIT = 50

/** `restock proposals list` */
export function listCommand(): Command {
  return apiCommand('list', 'list order proposals, the most urgent first', [
    'proposals list --due --supplier S-7',
    'proposals list --location L1 --limit 500 --why',
    'proposals list --status pending,snoozed --json',
  ])
    .option('--status <status>', 'repeat for several (default: pending)', collect)
    .option('--urgency <urgency>', 'repeat for several, e.g. due', collect)
    .option(
      '--due',
      'those that an order of tomorrow would bring too late, by the day of each location',
    )
    .option('--location <code>')
    .option('--sku <code>')
    .option('--supplier <code>')
    .addOption(
      new Option(
        '--sort <order>',
        "order of the lines (default: urgency; with --json the API's own)",
      ).choices(['urgency', '-value', '-value_at_risk', '-created_at']),
    )
    .option('--limit <n>', `number of lines at most (default: ${DEFAULT_LIMIT})`, wholeNumber(1))
    .option('--cursor <cursor>', 'continue after an earlier answer, with --json')
    .option('--why', 'show the rationale of each proposal')
    .action(list)
}

async function list(options: Options): Promise<void> {
  const { status = ['pending'], urgency, location, sku, supplier, sort, limit, cursor } = options
  const filter = { status, urgency, location, sku, supplier, due: options.due }
  if (options.json) {
    if ((limit ?? 0) > PAGE) {
      throw new WrongUsage(`With --json --limit is at most ${PAGE}: continue with --cursor.`)
    }
    const client = openClient()
    const query = { ...filter, sort, limit, cursor }
    return printJson(await client.call('get', '/proposals', { query }))
  }
  const client = openClient()
  const query: ProposalsQuery = { ...filter, sort: sort ?? 'urgency', cursor }
  const { rows, next } = await readPages(client, query, limit ?? DEFAULT_LIMIT)
  if (rows.length === 0) return note(`There are no such proposals.${await whyNone(client)}`)
  layoutOf(rows, options.why === true).forEach(print)
  if (next !== null) {
    const rest = await countRest(client, { ...query, cursor: next })
    note(`${count(rows.length, 'proposal')} shown; ${rest} more: raise --limit to see them.`)
  }
}
