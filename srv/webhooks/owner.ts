// Whose a webhook is: it is sent what whoever has added it sees, and who sees some rows alone manages no others'.
import type { Request } from '@sap/cds'
import {
  asUser,
  findRows,
  rememberCaller,
  rowsOf,
  type Rows,
  visibleEvents,
} from '../authority/index.ts'
import { readAs, Webhooks } from '../store/entities.ts'
import type { EventRow } from '../store/events/event-log.ts'
import { noSuchWebhook } from './manage.ts'
import type { WebhookRow } from './rows.ts'

/** Of these events those that may be sent. */
export async function eventsFor({ createdBy }: Pick<WebhookRow, 'createdBy'>, events: EventRow[]) {
  const rows = await rowsOfOwner(createdBy)
  return rows ? visibleEvents(asUser({ id: createdBy, roles: [], rows }), events) : events
}

const NOTHING: Rows = { locations: [], groups: null }

/** A key that acts as nobody sees all rows; of a person who is no longer known nothing is sent. */
async function rowsOfOwner(id: string): Promise<Rows | null> {
  const rows = await findRows(id)
  if (rows !== undefined) return rows
  return id.startsWith('key:') || id === 'system' ? null : NOTHING
}

/** Of a person who adds a webhook in the app it must be known later what this person sees. */
export async function rememberOwner({ user }: Request) {
  if ((user.attr as { via?: string }).via !== 'ui') return
  await rememberCaller(user)
}

/** The only person whose webhooks somebody manages; null for everybody's. */
export const onlyOwner = ({ user }: Request) => (rowsOf(user) ? user.id : null)

/** @throws Refusal not_found */
export async function assertOwn(req: Request<{ ID: number }>) {
  const owner = onlyOwner(req)
  if (owner === null) return
  const { ID } = req.data
  const own = await readAs(SELECT.one.from(Webhooks).columns('ID').where({ ID, createdBy: owner }))
  if (!own) throw noSuchWebhook()
}
