import { type Body, openClient, type Query } from '../client.ts'
import {
  callCommand,
  collect,
  group,
  listCommand,
  mandatory,
  option,
  PAGING,
  textLike,
  wholeNumber,
} from '../command.ts'
import { note, words } from '../output.ts'
import { confirmCommand } from './keys-confirm.ts'
import type { Key } from '../../client/index.ts'

type NewKey = Body<'post', '/keys'>

interface CreateOptions extends Pick<NewKey, 'name' | 'scopes' | 'currency'> {
  actsAs?: string
  maxOrderValue?: string
  expiresInDays?: number
}

const ID = { '<id>': 'as "restock keys list" shows it' }

/** `restock keys …` */
export const keysCommand = () =>
  group('keys', 'issue, confirm and revoke API keys', [
    callCommand({
      name: 'create',
      summary: 'issue a key; it is shown only once',
      examples: [
        'keys create --name dashboard --scopes forecasts:read,proposals:read',
        'keys create --name desk --scopes proposals:decide --acts-as buyer --max-order-value 5000.00',
      ],
      options: [
        mandatory('--name <name>'),
        mandatory('--scopes <scopes>', 'joined by commas', collect),
        option('--acts-as <user>', 'the approver that the key decides as'),
        option(
          '--max-order-value <amount>',
          'the highest value that one approval may have',
          AMOUNT,
        ),
        option('--currency <code>', "of that value, default: the account's", CURRENCY),
        option('--expires-in-days <days>', '1 to 365, default: 180', wholeNumber(1, 365)),
      ],
      call: ({ actsAs, maxOrderValue, expiresInDays, ...named }: CreateOptions) => {
        const limits = { max_order_value: maxOrderValue, expires_in_days: expiresInDays }
        return openClient().call('post', '/keys', {
          body: { ...named, acts_as: actsAs, ...limits },
        })
      },
      needs: ['key'],
      tell(issued) {
        const { id, key, expires_at } = issued
        note(
          `Key ${id ?? ''} issued, valid until ${expires_at ?? 'revoked'}. It is shown only once:`,
        )
        noteConfirmation(issued)
        return key
      },
    }),
    confirmCommand(),
    listCommand({
      name: 'list',
      summary: 'list the keys, without their secrets',
      examples: ['keys list'],
      options: PAGING,
      call: (query: Query<'/keys'>) => openClient().call('get', '/keys', { query }),
      needs: ['id'],
      columns: [
        ['ID', (row) => row.id],
        ['Name', (row) => row.name],
        ['Status', (row) => row.status && words(row.status)],
        ['Acts as', (row) => row.acts_as],
        ['Max order value', (row) => row.max_order_value, 'right'],
        ['Expires', (row) => row.expires_at],
        ['Rotated to', (row) => row.rotated_to],
        ['Scopes', (row) => row.scopes?.join(', ')],
      ],
    }),
    callCommand({
      name: 'revoke',
      summary: 'revoke a key; it is refused everywhere within 30 seconds',
      examples: ['keys revoke k7d2m'],
      args: ID,
      call: (_options, id) => openClient().call('delete', '/keys/{id}', { path: { id } }),
      tell: (_nothing, _options, id) => `Revoked ${id}.`,
    }),
    callCommand({
      name: 'rotate',
      summary: 'replace a key; the old one works a while longer',
      examples: ['keys rotate k7d2m'],
      args: ID,
      call: (_options, id) => openClient().call('post', '/keys/{id}/rotate', { path: { id } }),
      needs: ['key'],
      tell(issued) {
        const { key, old_key_expires_at: end } = issued
        note(`The new key is shown only once${end ? `; the old one ends at ${end}` : ''}:`)
        noteConfirmation(issued)
        return key
      },
    }),
  ])

const AMOUNT = textLike(/^\d{1,15}(\.\d{1,2})?$/, 'an amount such as 5000.00')
const CURRENCY = textLike(/^[A-Z]{3}$/, 'a currency such as EUR')

/** Says what a key still needs before it decides. */
function noteConfirmation({ id, status, acts_as }: Pick<Key, 'id' | 'status' | 'acts_as'>) {
  if (status !== 'pending_confirmation') return
  note(
    `It decides once ${acts_as} has confirmed it: in the app, or by "restock keys confirm ${id}".`,
  )
}
