// API keys and webhooks.
import type { Request } from '@sap/cds'
import { z } from 'zod'
import { send } from '../../base/cap/context.ts'
import { EVENT_TYPES } from '../../base/database/events.ts'
import { decimalText, parseInput, requiredText } from './fields.ts'
import { forward, readOwnRow } from './rows.ts'

interface NewKey {
  name?: string | null
  scopes?: string[] | null
  actsAs?: string | null
  /** OData passes decimals as numbers or as texts. */
  maxOrderValue?: number | string | null
  currency?: string | null
  expiresInDays?: number | null
}

export async function issueKey({ data }: Request<NewKey>) {
  const { name, scopes, actsAs, maxOrderValue, currency, expiresInDays = null } = data
  const input = { name: name?.trim(), scopes: scopes ?? [], actsAs: actsAs || null, expiresInDays }
  const limit = { maxOrderValue: decimalText(maxOrderValue), currency: currency || null }
  const all = { ...input, ...limit }
  return toNewKey(await send<IssuedKey>('KeysService', 'issue', all))
}

export const rotateKey = async (request: Request) =>
  toNewKey(await forward<IssuedKey>('KeysService', 'rotate')(request))

interface IssuedKey {
  ID: string
  key: string
  expiresAt: string
  oldKeyExpiresAt?: string
}

const toNewKey = ({ ID, key, expiresAt, oldKeyExpiresAt }: IssuedKey) => ({
  ...{ ID, key, expiresAt, oldKeyExpiresAt },
})

const NewWebhook = z.object({
  url: requiredText(2000),
  types: z
    .array(z.enum(EVENT_TYPES))
    .nullish()
    .transform((types) => (types?.length ? types : null)),
})

export const addWebhook = ({ data: { url, types } }: Request<z.input<typeof NewWebhook>>) =>
  send('WebhooksService', 'add', parseInput(NewWebhook, { url, types }))

export async function replayDelivery({ params }: Request) {
  const { webhook, event } = params.at(-1) as { webhook: number; event: string }
  await send('WebhooksService', 'replay', { ID: webhook, event })
  return readOwnRow('Deliveries', { webhook, event })
}
