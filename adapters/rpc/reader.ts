// ERPs that show their tables as models with numbered records, which are searched by a domain.

/** A search expression as the ERP writes it: conditions that must all hold. */
export type Domain = readonly unknown[]

export interface ModelQuery {
  model: string
  domain: Domain
  fields: readonly string[]
  /** Rows per page; that of the reader unless given. */
  limit?: number
  context?: Record<string, unknown>
  /** Highest number first. */
  newestFirst?: boolean
}

export interface ModelRow {
  id: number
}

export interface ModelPage<Row> {
  rows: Row[]
  /** The ERP's clock, milliseconds since 1970. */
  serverTime: number | null
}

/** Reads records of models; how conditions are written differs by ERP. */
export interface ModelReader {
  /** The first rows by number. */
  search<Row extends ModelRow>(
    query: ModelQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<ModelPage<Row>>
  count(query: Pick<ModelQuery, 'model' | 'domain'>, signal: AbortSignal): Promise<number>
  /** One of the domains holds. */
  anyOf(...domains: Domain[]): unknown
  /** A time as conditions name it. @param at milliseconds since 1970 */
  instant(at: number): unknown
  /** The ERP's clock, milliseconds since 1970. */
  now(signal: AbortSignal): Promise<number>
  readonly pageSize: number
}
