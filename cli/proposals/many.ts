import { collect } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import type { ProposalsQuery } from './pages.ts'
import type { Command } from 'commander'

/** Options of a command that decides about one proposal or about many. */
export interface ManyOptions {
  all?: true
  due?: true
  urgency?: ProposalsQuery['urgency']
  location?: string
  sku?: string
  supplier?: string
  comment?: string
  dryRun?: true
  yes?: true
  json?: true
}

/** The options by which many are chosen. */
export function manyOptions(command: Command, { verb, done }: { verb: string; done: string }) {
  return command
    .option('--all', 'all pending proposals that the following choose, up to 1,000')
    .option('--due', 'those that an order of tomorrow would bring too late')
    .option('--urgency <urgency>', 'repeat for several, e.g. due', collect)
    .option('--location <code>')
    .option('--sku <code>')
    .option('--supplier <code>')
    .option(
      '--dry-run',
      `with --all: show what would be ${done.toLowerCase()}, and ${verb.toLowerCase()} nothing`,
    )
    .option('--yes', 'do not ask')
}

const FILTERS = ['due', 'urgency', 'location', 'sku', 'supplier', 'dryRun'] as const

/** @throws WrongUsage unless the command names either one proposal or many */
export function isOfMany(id: string | undefined, options: ManyOptions): boolean {
  const filters = options.all ?? FILTERS.some((name) => options[name] !== undefined)
  if (id === undefined && !options.all) throw new WrongUsage('Give the id of a proposal, or --all.')
  if (id !== undefined && filters)
    throw new WrongUsage('Filters and --all are for many proposals: give no id.')
  return id === undefined
}
