import { InvalidArgumentError } from 'commander'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, collect, wholeNumber } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { noteConfirmation } from './confirm.ts'
import type { Command } from 'commander'
import type { Key } from '../../client/index.ts'

interface Options {
  name: string
  scopes: Key['scopes']
  actsAs?: string
  maxOrderValue?: string
  currency?: string
  expiresInDays?: number
  json?: true
}

/** `restock keys create` */
export function createCommand(): Command {
  return apiCommand('create', 'issue a key; it is shown only once', [
    'keys create --name dashboard --scopes forecasts:read,proposals:read',
    'keys create --name desk --scopes proposals:decide --acts-as buyer --max-order-value 5000.00',
  ])
    .requiredOption('--name <name>')
    .requiredOption('--scopes <scopes>', 'joined by commas', collect)
    .option('--acts-as <user>', 'the approver that the key decides as')
    .option('--max-order-value <amount>', 'the highest value that one approval may have', amount)
    .option('--currency <code>', "of that value, default: the account's", currency)
    .option('--expires-in-days <days>', '1 to 365, default: 180', wholeNumber(1, 365))
    .action(create)
}

async function create(options: Options): Promise<void> {
  const client = openClient()
  const body = {
    name: options.name,
    scopes: options.scopes,
    acts_as: options.actsAs,
    max_order_value: options.maxOrderValue,
    currency: options.currency,
    expires_in_days: options.expiresInDays,
  }
  const answer = await client.call('post', '/keys', { body })
  if (options.json) return printJson(answer)
  const { id, key, expires_at } = dataOf(answer, ['key'])
  note(`Key ${id ?? ''} issued, valid until ${expires_at ?? 'revoked'}. It is shown only once:`)
  noteConfirmation(answer.data)
  print(toSafeText(key))
}

function amount(text: string): string {
  if (/^\d{1,15}(\.\d{1,2})?$/.test(text)) return text
  throw new InvalidArgumentError('It must be an amount such as 5000.00.')
}

function currency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a currency such as EUR.')
}
