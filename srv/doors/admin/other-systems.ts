// API keys and webhooks.
import type { Request } from '@sap/cds'
import { z } from 'zod'
import { EVENT_TYPES } from '../../base/database/events.ts'
import { message } from '../../base/texts/texts.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'
import { decimalText, keyOf, parseInput, readOwnRow, requiredText } from './rows.ts'
import * as keys from '../../domain/keys/index.ts'
import * as webhooks from '../../domain/webhooks/index.ts'

const NewKey = z.strictObject({
  name: keys.NEW_KEY.name,
  scopes: keys.NEW_KEY.scopes,
  actsAs: keys.NEW_KEY.actsAs.nullish(),
  maxOrderValue: keys.NEW_KEY.maxOrderValue.nullish(),
  currency: keys.NEW_KEY.currency.nullish(),
  expiresInDays: z.int().min(1).max(365).nullish(),
})

export async function issueKey({ data }: Request<ODataRow>) {
  const { name, scopes, actsAs, maxOrderValue, currency, expiresInDays } = data
  const wish = parseInput(NewKey, {
    name: (name as string | null)?.trim(),
    scopes: scopes ?? [],
    actsAs: actsAs || null,
    maxOrderValue: decimalText(maxOrderValue),
    currency: currency || null,
    expiresInDays,
  })
  return toNewKey(await keys.issueKey(wish))
}

export const rotateKey = async (request: Request) =>
  toNewKey(await keys.rotateKey(keyOf<string>(request)!))

export const revokeKey = async (request: Request) => {
  const ID = keyOf<string>(request)!
  await keys.revokeKey(ID)
  return readOwnRow('ApiKeys', { ID })
}

const toNewKey = ({ ID, key, expiresAt, ...issued }: keys.IssuedKey | keys.RotatedKey) => ({
  ID,
  key,
  expiresAt,
  oldKeyExpiresAt: 'oldKeyExpiresAt' in issued ? issued.oldKeyExpiresAt : undefined,
})

const NewWebhook = z.object({
  url: requiredText(2000),
  types: z
    .array(z.enum(EVENT_TYPES))
    .nullish()
    .transform((types) => (types?.length ? types : null)),
})

/** A webhook without a list of events receives all. */
export function nameEvents(row: ODataRow) {
  if ('types' in row) row.typesText = row.types || message('all_events')
}

export const addWebhook = ({ data: { url, types } }: Request<z.input<typeof NewWebhook>>) =>
  webhooks.addWebhook(parseInput(NewWebhook, { url, types }))

export const rotateWebhook = (request: Request) => webhooks.rotateSecret(keyOf(request)!)

export const removeWebhook = (request: Request) => webhooks.removeWebhook(keyOf(request)!)

const changeStatus = (status: 'active' | 'disabled') => async (request: Request) => {
  const ID = keyOf(request)!
  await webhooks.changeWebhook({ ID, status })
  return readOwnRow('Webhooks', { ID })
}

export const activateWebhook = changeStatus('active')
export const disableWebhook = changeStatus('disabled')

export async function replayDelivery({ params }: Request) {
  const { webhook, event } = params.at(-1) as { webhook: number; event: string }
  await webhooks.replayDelivery(webhook, event)
  return readOwnRow('Deliveries', { webhook, event })
}
