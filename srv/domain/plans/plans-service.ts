import cds, { type Request } from '@sap/cds'
import {
  assertMaySetPolicy,
  visibleHolidayCalendars,
  visiblePlannedEvents,
} from '../authority/index.ts'
import {
  addEvent,
  type EventQuery,
  findEvent,
  listEvents,
  type NewEvent,
  removeEvent,
} from './calendar.ts'
import { forecastAnew } from './forecast-anew.ts'
import {
  type CalendarQuery,
  type HolidayCalendar,
  listCalendars,
  removeCalendar,
  setCalendar,
} from './holiday-calendars.ts'

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
    this.#holidays()
    return super.init()
  }

  #holidays() {
    this.on('holidays', ({ data, user }: Request<CalendarQuery>) =>
      listCalendars(data, visibleHolidayCalendars(user)),
    )
    this.on('setHolidays', async (req: Request<{ calendar: HolidayCalendar }>) => {
      await assertMaySetPolicy(req.user, { location: req.data.calendar.location })
      return learnAnew(req, await setCalendar(req.data.calendar))
    })
    this.on('removeHolidays', async (req: Request<{ location: string }>) => {
      await assertMaySetPolicy(req.user, { location: req.data.location })
      learnAnew(req, await removeCalendar(req.data.location ?? ''))
    })
  }
}

function learnAnew<T extends HolidayCalendar & { concerns: number }>(req: Request, calendar: T): T {
  const { location, concerns } = calendar
  if (concerns) req.on('succeeded', () => void forecastAnew({ holidaysOf: location }))
  return calendar
}
