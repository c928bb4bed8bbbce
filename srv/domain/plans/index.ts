// What people enter about coming days: planned events, calendars of public holidays, and overrides of forecasts.
export {
  addEvent,
  type CalendarEvent,
  findEvent,
  type HolidayCalendar,
  listCalendars,
  listEvents,
  removeCalendar,
  removeEvent,
  setCalendar,
} from './calendar.ts'
export {
  addOverride,
  findOverride,
  type ForecastOverride,
  listOverrides,
  removeOverride,
} from './overrides.ts'
