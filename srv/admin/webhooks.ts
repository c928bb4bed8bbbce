import type { Request } from '@sap/cds'
import { z } from 'zod'
import { EVENT_TYPES } from '../store/events/publish.ts'
import { parseInput, requiredText } from './fields.ts'
import { idOf, send, readOwnRow } from './services.ts'

const WEBHOOKS = 'WebhooksService'

const NewWebhook = z.object({
  url: requiredText(2000),
  types: z
    .array(z.enum(EVENT_TYPES))
    .nullish()
    .transform((types) => (types?.length ? types : null)),
})

export const addWebhook = ({ data: { url, types } }: Request<z.input<typeof NewWebhook>>) =>
  send(WEBHOOKS, 'add', parseInput(NewWebhook, { url, types }))

export const rotateWebhook = (request: Request) => send(WEBHOOKS, 'rotate', { ID: idOf(request) })

export const removeWebhook = (request: Request) => send(WEBHOOKS, 'remove', { ID: idOf(request) })

export const setWebhookStatus = (status: 'active' | 'disabled') => async (request: Request) => {
  const ID = idOf(request)
  await send(WEBHOOKS, 'change', { ID, status })
  return readOwnRow('Webhooks', { ID })
}

export async function replayDelivery({ params }: Request) {
  const { webhook, event } = params.at(-1) as { webhook: number; event: string }
  await send(WEBHOOKS, 'replay', { ID: webhook, event })
  return readOwnRow('Deliveries', { webhook, event })
}
