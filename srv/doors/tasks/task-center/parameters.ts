import type { Request } from 'express'
import { type Language, languageOf, LANGUAGES } from '../../../base/texts/texts.ts'
import { invalid } from '../refusal.ts'
import { instance } from '../settings.ts'

type Kind = 'task' | 'taskdefinition'

const prefixOf = (kind: Kind) => {
  const { applicationId, applicationInstanceId, tenantId } = instance()
  return `urn:sap.odm.bpm.${kind}:${applicationId}:${applicationInstanceId}:${tenantId}:`
}

export const urnOf = (kind: Kind, localId: string) => prefixOf(kind) + localId

/** The local id within a URN of ours; null for any other. */
export function localIdOf(kind: Kind, urn: string): string | null {
  const prefix = prefixOf(kind)
  const localId = urn.startsWith(prefix) ? urn.slice(prefix.length) : ''
  return /^[A-Za-z0-9._-]{1,64}$/.test(localId) ? localId : null
}

/**
 * The position of a URN among the positions of our tasks, in hex: greater than those of all smaller URNs of ours. Any text
 * may be given.
 */
export function placeAfter(urn: string): string {
  const [prefix, given] = [prefixOf('task'), urn]
  if (given.startsWith(prefix)) return Buffer.from(given.slice(prefix.length)).toString('hex')
  return Buffer.compare(Buffer.from(given), Buffer.from(prefix)) < 0 ? '' : 'g'
}

// The query parameters of the SPI; each at most once.

function one(req: Request, name: string): string | null {
  const values = new URL(req.url, 'http://localhost').searchParams.getAll(name)
  if (values.length > 1) throw invalid(name, 'must be given once')
  return values[0] ?? null
}

/** A language as it was asked for, and the one of our texts that answers it. */
export interface RequestedLanguage {
  code: string
  language: Language
}

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/
const MOST_LANGUAGES = 20

/** The requested languages that there are texts in, in the order of the request; English if there are none. */
export function languages(req: Request): RequestedLanguage[] {
  const codes = one(req, 'languages')?.split(',') ?? []
  const isFit = codes.length && codes.length <= MOST_LANGUAGES
  if (!isFit || !codes.every((code) => LANGUAGE.test(code))) {
    throw invalid('languages', 'must name one or more languages, such as en-US,de-DE')
  }
  const known = [...new Set(codes)].flatMap((code) => {
    const language = languageOf(code)
    return language ? [{ code, language }] : []
  })
  return known.length ? known : [{ code: 'en-US', language: LANGUAGES[0] }]
}

/** A whole number of a range. */
export function whole(req: Request, name: string, least: number, most: number, other: number) {
  const text = one(req, name)
  if (text === null) return other
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw invalid(name, `must be a whole number of ${least}..${most}`)
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A moment in UTC with exactly three decimals, in milliseconds since 1970. */
export function modifiedAfter(req: Request): number {
  const text = one(req, 'modifiedAfter')
  const time = text && INSTANT.test(text) ? new Date(text) : null
  // JavaScript turns an impossible day into another one, so it is refused.
  if (time && !Number.isNaN(time.getTime()) && time.toISOString() === text) return time.getTime()
  throw invalid('modifiedAfter', 'must be a time in UTC such as 2026-11-21T06:00:00.000Z')
}

const LONGEST_URN = 300

export function lastId(req: Request): string | null {
  const urn = one(req, 'lastId')
  if (urn === null || (urn && urn.length <= LONGEST_URN)) return urn
  throw invalid('lastId', `must be the URN of a task, ${LONGEST_URN} characters at most`)
}
