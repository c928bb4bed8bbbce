import { settings } from '../config.ts'
import { dayIn } from '../time-zone.ts'

/** The calendar day where the setting `timeZone` is, `YYYY-MM-DD`; that of a location is in local-days.ts. */
export const today = () => dayIn(settings().timeZone, new Date())

/** The calendar day there of a timestamp. */
export const dayOf = (timestamp: string) => dayIn(settings().timeZone, new Date(timestamp))

export { DAY_MS } from '../time-zone.ts'
