import cds from '@sap/cds'
import { z } from 'zod'
import { visibleEvents } from '../../authority/index.ts'
import {
  type EventRow,
  fromPosition,
  numberEvents,
  readEvents,
  toPosition,
} from '../../store/events/event-log.ts'
import { fromCursor, toCursor } from '../http/cursor.ts'
import { endpoint } from '../http/endpoint.ts'
import { repeatable } from '../http/fields.ts'
import { boundTo, pageSchema, paging } from '../http/page.ts'
import { EventTypeName } from '../webhooks/to-webhook.ts'

const Event = z
  .object({
    id: z.string(),
    type: EventTypeName,
    timestamp: z.iso.datetime(),
    data: z.looseObject({ id: z.string() }),
  })
  .meta({ id: 'Event' })

const toEvent = ({ ID, type, at, data }: EventRow): z.infer<typeof Event> => ({
  id: `evt_${ID}`,
  type,
  timestamp: at,
  data: JSON.parse(data) as z.infer<typeof Event>['data'],
})

const getEvents = endpoint({
  method: 'get',
  path: '/events',
  summary:
    'Lists events, oldest first; next_cursor is always given, and later calls continue from it',
  scopes: ['webhooks:manage'],
  query: z.strictObject({ ...paging, types: repeatable(EventTypeName).optional() }),
  answers: { 200: pageSchema(Event).extend({ next_cursor: z.string() }) },
  errors: ['invalid_cursor'],
  async handle({ path, query: { limit, cursor, types } }) {
    const list = boundTo(path, { types: types?.toSorted() })
    const after = cursor === undefined ? null : fromCursor(list, cursor)
    await numberEvents()
    const { rows, next, hasMore } = await readEvents(toPosition(after), types ?? null, limit)
    const next_cursor = toCursor(list, fromPosition(next))
    const data = (await visibleEvents(cds.context!.user, rows)).map(toEvent)
    return { status: 200, body: { data, next_cursor, has_more: hasMore } }
  },
})

export const eventEndpoints = [getEvents]
