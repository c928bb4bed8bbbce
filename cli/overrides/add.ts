import { type Command, InvalidArgumentError } from 'commander'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { selectorsOf } from '../plan/list.ts'
import { toSafeText } from '../text.ts'
import { changeOf } from './list.ts'

interface Options {
  from?: string
  to: string
  sku?: string
  location?: string
  group?: string
  percent?: number
  units?: number
  reason: string
  json?: true
}

/** `restock overrides add` */
export function addCommand(): Command {
  return apiCommand('add', 'raise or lower forecasts for a time; proposals are made anew by them', [
    'overrides add --sku A-100 --location L1 --to 2026-12-24 --percent 20 --reason "Christmas"',
    'overrides add --group tools --from 2027-01-11 --to 2027-01-15 --units 500 --reason "Trade fair"',
  ])
    .requiredOption('--to <day>', 'last day, YYYY-MM-DD')
    .option('--from <day>', 'first day (today)')
    .option('--sku <code>', 'for this SKU (all)')
    .option('--location <code>', 'at this location (all)')
    .option('--group <code>', 'for this group of SKUs (all)')
    .option('--percent <number>', 'by which demand will be more, or less: 20, -15', percentage)
    .option('--units <number>', 'demand of all its days and all that it names', quantity)
    .requiredOption('--reason <text>', 'why')
    .action(add)
}

async function add({ json, ...body }: Options): Promise<void> {
  const answer = await openClient().call('post', '/forecast-overrides', { body })
  if (json) return printJson(answer)
  const override = dataOf(answer, ['id', 'from', 'concerns'])
  const { id, from, to, concerns } = override
  const where = `${selectorsOf(override)}, ${from} to ${to}`
  const told = `${changeOf(override)} for ${where}: it concerns ${concerns} SKUs at locations`
  print(toSafeText(`Entered ${id}, ${told}.`))
}

function percentage(text: string): number {
  if (/^[+-]?\d{1,3}(\.\d{1,4})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number such as 20 or -15.')
}

function quantity(text: string): number {
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, not negative.')
}
