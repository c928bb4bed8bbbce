// What people say of coming days: planned events, whose public holidays hold, and what is asked for instead of a forecast.
export { addEvent, type CalendarEvent, findEvent, listEvents, removeEvent } from './calendar.ts'
export {
  type HolidayCalendar,
  listCalendars,
  removeCalendar,
  setCalendar,
} from './holiday-calendars.ts'
export {
  addOverride,
  findOverride,
  type ForecastOverride,
  listOverrides,
  removeOverride,
} from './overrides.ts'
