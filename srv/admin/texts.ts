// Codes in the words of whoever asks: app/admin/_i18n.
import cds, { type Request } from '@sap/cds'
import type { Row } from './in-memory.ts'

interface Labels {
  at(key: string, locale?: string): string | undefined
}

/** `admin_code_source_connected` in the bundles; the code itself where it has no words. */
export function nameOf(topic: string, code: unknown): string | null {
  if (code === null || code === undefined) return null
  const { labels } = (cds as unknown as { i18n: { labels: Labels } }).i18n
  const key = `admin_code_${topic}_${String(code).replaceAll(/[^\w]/g, '_')}`
  return labels.at(key, cds.context?.locale) ?? String(code)
}

export const choices = (topic: string, codes: readonly string[]) =>
  codes.map((code) => ({ code, name: nameOf(topic, code) }))

/** By entity the elements that hold codes, and the topic of each. */
export const TOPICS: Record<string, Record<string, string>> = {
  Sources: { type: 'type', status: 'source', lastSyncStatus: 'sync' },
  Streams: { status: 'stream' },
  Syncs: { mode: 'mode', status: 'sync', phase: 'phase' },
  Policies: { level: 'level' },
  BlockedPairs: { missing: 'missing' },
  ApiKeys: { state: 'key' },
  Webhooks: { status: 'webhook', disabledReason: 'disabled' },
  Deliveries: { status: 'delivery' },
  Delegations: { state: 'delegation' },
  Health: { lastSyncStatus: 'sync' },
  ForecastQuality: { kind: 'quality' },
  QualityMonths: { kind: 'quality' },
  QualityClasses: { demandClass: 'demand' },
  QualityConfidences: { confidence: 'confidence' },
}

/** Reads each code whose text is asked for. */
export function selectCodes(entity: string) {
  const elements = Object.keys(TOPICS[entity]!)
  return ({ query }: Request) => {
    const { columns } = (query as unknown as { SELECT: { columns?: { ref?: string[] }[] } }).SELECT
    const has = (name: string) => columns?.some(({ ref }) => ref?.length === 1 && ref[0] === name)
    for (const name of elements)
      if (has(`${name}Text`) && !has(name)) columns!.push({ ref: [name] })
  }
}

/** Adds `<element>Text` beside each code. */
export function nameCodes(entity: string, row: Row) {
  for (const [element, topic] of Object.entries(TOPICS[entity] ?? {})) {
    if (element in row) row[`${element}Text`] = nameOf(topic, row[element])
  }
}
