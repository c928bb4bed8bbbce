import cds, { type Request } from '@sap/cds'
import { assertMaySetPolicy, visiblePlannedEvents } from '../authority/index.ts'
import {
  addEvent,
  type EventQuery,
  findEvent,
  listEvents,
  type NewEvent,
  removeEvent,
} from './calendar.ts'
import { forecastAnew } from './forecast-anew.ts'

export default class PlansService extends cds.ApplicationService {
  override async init() {
    this.on('list', ({ data, user }: Request<EventQuery>) =>
      listEvents(data, visiblePlannedEvents(user)),
    )
    this.before('add', ({ data, user }: Request<{ event: NewEvent }>) =>
      assertMaySetPolicy(user, data.event),
    )
    this.before('remove', async ({ data, user }: Request<{ ID: number }>) =>
      assertMaySetPolicy(user, await findEvent(data.ID, visiblePlannedEvents(user))),
    )
    this.on('find', ({ data, user }: Request<{ ID: number }>) =>
      findEvent(data.ID, visiblePlannedEvents(user)),
    )
    this.on('add', async (req: Request<{ event: NewEvent }>) => {
      const event = await addEvent(req.data.event)
      if (event.concerns) req.on('succeeded', () => void forecastAnew(event))
      return event
    })
    this.on('remove', async (req: Request<{ ID: number }>) => {
      const event = await removeEvent(req.data.ID)
      if (event.concerns) req.on('succeeded', () => void forecastAnew(event))
    })
    return super.init()
  }
}
