// Options that `connect` and `sources edit` have alike.
import { InvalidArgumentError } from 'commander'

export const SCHEDULE =
  'cron expression of five fields in the time zone of the source, "off" or "default"'

/** The schedule in the API's form: null for `default`. */
export const scheduleOf = (text: string | undefined) => (text === 'default' ? null : text)

/** A parser for `name=value`, which may be repeated. */
export function addSetting(text: string, earlier: Record<string, string> = {}) {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return { ...earlier, [name]: value }
  throw new InvalidArgumentError('It must be name=value.')
}
