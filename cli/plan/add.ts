import { type Command, InvalidArgumentError } from 'commander'
import type { PlannedEvent } from '../../client/index.ts'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { selectorsOf } from './list.ts'

interface Options {
  kind: PlannedEvent['kind']
  from: string
  to?: string
  sku?: string
  location?: string
  group?: string
  factor?: number
  price?: number
  name?: string
  json?: true
}

/** `restock plan add` */
export function addCommand(): Command {
  return apiCommand('add', 'enter an event; what it concerns is forecast and proposed anew', [
    'plan add --kind closure --location L1 --from 2026-12-24 --to 2026-12-26',
    'plan add --kind event --group tools --from 2027-01-11 --to 2027-01-15 --factor 1.5 --name "Trade fair"',
  ])
    .requiredOption('--kind <kind>', 'promotion, price, event, holiday or closure')
    .requiredOption('--from <day>', 'first day, YYYY-MM-DD')
    .option('--to <day>', 'last day (the first)')
    .option('--sku <code>', 'for this SKU (all)')
    .option('--location <code>', 'at this location (all)')
    .option('--group <code>', 'for this group of SKUs (all)')
    .option('--factor <number>', 'demand over that of the same days without it, e.g. 1.5', decimal)
    .option('--price <number>', 'the price that holds', decimal)
    .option('--name <text>', 'what it is')
    .action(add)
}

async function add({ json, ...body }: Options): Promise<void> {
  const answer = await openClient().call('post', '/planned-events', { body })
  if (json) return printJson(answer)
  const event = dataOf(answer, ['id', 'kind', 'concerns'])
  const where = `${selectorsOf(event)}: it concerns ${event.concerns} SKUs at locations`
  print(toSafeText(`Entered ${event.id}, ${event.kind} for ${where}.`))
}

function decimal(text: string): number {
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, not negative.')
}
