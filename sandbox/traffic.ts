import type { LogEntry } from './log-entry.ts'

export interface Traffic {
  requests: number
  /** Rows of the set itself and those expanded below rows of another one. */
  rows: number
}

/** The logged requests and the rows of their answers, by entity set. */
export function trafficOf(log: LogEntry[]): Record<string, Traffic> {
  const bySet = new Map<string, Traffic>()
  const add = (set: string, requests: number, rows: number) => {
    const known = bySet.get(set) ?? { requests: 0, rows: 0 }
    bySet.set(set, { requests: known.requests + requests, rows: known.rows + rows })
  }
  for (const { set, rows, expanded } of log) {
    if (set === undefined) continue
    add(set, 1, rows)
    if (expanded) add(expanded.set, 0, expanded.rows)
  }
  return Object.fromEntries([...bySet].sort(([a], [b]) => (a < b ? -1 : 1)))
}
