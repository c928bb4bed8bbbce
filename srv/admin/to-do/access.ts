// Keys, webhooks and recurring work: what other systems wait for.
import { ApiKeys, readAs, WebhookDeliveries, Webhooks } from '../../store/entities.ts'
import { DAY_MS } from '../../store/today.ts'
import { codeNames } from '../../texts.ts'
import { overdueRounds } from '../../worker.ts'
import { countRows } from '../health.ts'
import { MOST, type Task } from './task.ts'

export async function accessTasks(): Promise<Task[]> {
  return [...(await keyTasks()), ...(await webhookTasks()), ...workTasks()]
}

const SOON_DAYS = 14

interface Key {
  name: string
  actsAs: string | null
  status: string
  expiresAt: string
}

async function keyTasks(): Promise<Task[]> {
  const soon = new Date(Date.now() + SOON_DAYS * DAY_MS).toISOString()
  const columns = ['name', 'actsAs', 'status', 'expiresAt'] as const
  const waiting = await readAs<Key>(
    SELECT.from(ApiKeys)
      .columns(...columns)
      .where({ status: { in: ['pending_confirmation', 'user_left'] } })
      .limit(MOST),
  )
  const ending = await readAs<Key>(
    SELECT.from(ApiKeys)
      .columns(...columns)
      .where({ status: 'active', expiresAt: { '<': soon } })
      .limit(MOST),
  )
  const task = (key: string, { name, actsAs, expiresAt }: Key): Task => ({
    ...{ key, criticality: 2, cure: 'keys', link: '#/ApiKeys' },
    places: { name, person: actsAs ?? '', day: String(expiresAt).slice(0, 10) },
  })
  return [
    ...waiting.map((key) => task(key.status === 'user_left' ? 'key_left' : 'key_waits', key)),
    ...ending.map((key) => task('key_ends', key)),
  ]
}

interface Webhook {
  ID: number
  url: string
  status: string
  disabledReason: string | null
  failingSince: string | null
}

async function webhookTasks(): Promise<Task[]> {
  const rows = await readAs<Webhook>(
    SELECT.from(Webhooks).columns('ID', 'url', 'status', 'disabledReason', 'failingSince'),
  )
  const nameOf = await codeNames('WebhookDisabledReasons')
  const failing = rows.flatMap(({ ID, url, status, disabledReason, failingSince }): Task[] => {
    const task = (key: string, criticality: 1 | 2, more: object): Task => ({
      ...{ key, criticality, cure: 'webhook', link: `#/Webhooks(${ID})` },
      places: { host: URL.parse(url)?.host ?? url, ...more },
    })
    if (status === 'disabled' && disabledReason !== 'by_request') {
      return [task('webhook_disabled', 1, { reason: nameOf(disabledReason) })]
    }
    const isFailing = status === 'active' && failingSince
    return isFailing ? [task('webhook_failing', 2, { day: failingSince.slice(0, 10) })] : []
  })
  const count = await countRows(WebhookDeliveries, { status: 'failed' })
  if (!count) return failing
  const given: Task = {
    ...{ key: 'deliveries_failed', places: { count }, criticality: 2 },
    ...{ cure: 'deliveries', link: '#/Webhooks' },
  }
  return [...failing, given]
}

/** Of the instance that is asked. */
function workTasks(): Task[] {
  const names = overdueRounds().join(', ')
  if (!names) return []
  const where = { cure: 'log', link: '#/AuditLog' }
  return [{ key: 'work_overdue', places: { names }, criticality: 1, ...where }]
}
