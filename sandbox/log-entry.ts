/** A request, and what was answered. */
export interface LogEntry {
  /** Time by the machine's clock, milliseconds. */
  at: number
  method: string
  /** Decoded, without the query. */
  path: string
  /** The encoded query with its `?`; blank for none. */
  query: string
  /** 0 until the answer, and if the connection broke before it. */
  status: number
  /** Whether the request was for a service, not for OAuth. */
  data: boolean
  /** The requested entity set; missing where there is none, or before the answer. */
  set?: string
  rows: number
  /** The rows that were answered below them. */
  expanded?: { set: string; rows: number }
  ms: number
  /** Concurrent requests when it arrived, including itself. */
  concurrent: number
  /** The fault that was applied. */
  fault?: string
}
