import { Fatal } from '../errors.ts'
import { TableRefused } from '../../tables/refusal.ts'

/** A refused file as the sync shows it: file, line and value, and the option that would read it. */
export function toFatal(error: unknown, file: string): unknown {
  if (!(error instanceof TableRefused)) return error
  const { code, line, message, remedy } = error
  const place = line === null ? file : `${file}, line ${line}`
  const values = remedy?.values.map((value) => `"${value}"`).join(' or ')
  const how = remedy ? `; set the option ${remedy.setting} to ${values}` : ''
  return new Fatal(code, `${place}: ${message}${how}.`, file)
}
