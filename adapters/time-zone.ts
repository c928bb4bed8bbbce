/** The longest name that can be stored; the longest there is has 32 characters. */
export const MAX_TIME_ZONE_LENGTH = 60

export const TIME_ZONE_RULE = 'must be a time zone of the IANA database, such as Europe/Berlin'

/** A name, and no offset such as +02:00: those know no summer time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/

/** Whether this machine knows a time zone by the name. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_TIME_ZONE_LENGTH || !NAME.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
