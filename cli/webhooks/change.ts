import { Option } from 'commander'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, collect } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { Webhook } from '../../client/index.ts'

interface Options {
  url?: string
  events?: Webhook['events']
  status?: Webhook['status']
  json?: true
}

/** `restock webhooks change <id>` */
export function changeCommand(): Command {
  return apiCommand('change', 'change an address, its events, or switch it off and on', [
    'webhooks change wh_1 --status disabled',
    'webhooks change wh_1 --events proposal.approved,proposal.cancelled',
  ])
    .argument('<id>', 'as "restock webhooks list" shows it')
    .option('--url <url>', 'where the events go')
    .option('--events <types>', 'joined by commas', collect)
    .addOption(
      new Option('--status <status>', 'active sends what was missed, too').choices([
        ...['active', 'disabled'],
      ]),
    )
    .action(change)
}

async function change(id: string, { json, ...body }: Options): Promise<void> {
  if (!Object.keys(body).length) throw new WrongUsage('Give --url, --events or --status.')
  const client = openClient()
  const answer = await client.call('patch', '/webhooks/{id}', { path: { id }, body })
  if (json) return printJson(answer)
  const { url, status, events } = dataOf(answer, ['url', 'status', 'events'])
  print(toSafeText(`${id}: ${url}, ${status}, ${events.join(', ')}.`))
}
