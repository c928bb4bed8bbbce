// What people enter about coming days: planned events, calendars of public holidays, and overrides of forecasts.
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
