import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, collect } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { Webhook } from '../../client/index.ts'

interface Options {
  events?: Webhook['events']
  json?: true
}

/** `restock webhooks add <url>` */
export function addCommand(): Command {
  return apiCommand('add', 'send events to an address; its secret is shown only once', [
    'webhooks add https://erp.acme.com/hooks/restock',
    'webhooks add https://erp.acme.com/hooks/restock --events proposal.approved,sync.failed',
  ])
    .argument('<url>', 'where the events go')
    .option(
      '--events <types>',
      'joined by commas; all, and those of later versions, unless given',
      collect,
    )
    .action(add)
}

async function add(url: string, { events, json }: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('post', '/webhooks', { body: { url, events } })
  if (json) return printJson(answer)
  const { id, secret } = dataOf(answer, ['id', 'secret'])
  note(`Added ${id}. Its secret, by which calls are checked, is shown only once:`)
  print(toSafeText(secret))
}
