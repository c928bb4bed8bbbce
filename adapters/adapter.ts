import type { z } from 'zod'
import type { RecordKind, RecordOf } from './records.ts'
import type { QuarantinedRow } from './errors.ts'

/** Where a stream goes on; opaque to everyone but the stream that made it. */
export type Cursor = string

/** One unit of commit: its records and its cursor are stored in one transaction. */
export interface Page<K extends RecordKind = RecordKind> {
  records: RecordOf<K>[]
  quarantined: QuarantinedRow[]
  cursor: Cursor
  /**
   * Natural keys that the ERP says are gone; only for streams that are no snapshots. For demand
   * `{ document }`: the document line goes, whatever its day, before the page's records are stored.
   */
  deleted?: Record<string, string>[]
  /** How far the reading is, for progress only; `total` null where it is unknown. */
  progress: { done: number; total: number | null; unit: 'bytes' | 'rows' }
}

/**
 * One kind of record read from one ERP.
 *
 * `snapshot`: the pages of a read together are all there is, so what they lack is deleted; a read
 * that yields no page at all says "nothing changed since the cursor". Only the last page's cursor
 * stands for the whole; a read from an earlier page's cursor begins anew. `changedAt`, `keyset`:
 * pages add to what is stored, and reading can resume from the cursor of any page. Their read from
 * the beginning (`since` null) is whole too: what it lacks is deleted.
 */
export interface Stream<K extends RecordKind = RecordKind> {
  record: K
  cursor: 'snapshot' | 'changedAt' | 'keyset'
  /** A source without this stream cannot be forecast: its failure fails the sync. */
  isRequired: boolean
  /**
   * @param since the last stored cursor, null for a full read
   * @throws Fatal | Retriable | the signal's reason once it is aborted
   */
  read(since: Cursor | null, signal: AbortSignal): AsyncIterable<Page<K>>
}

/** How a source's requests are authorised, as its adapter knows it. */
export type AuthPlan =
  | { kind: 'none' }
  /** Communication user: client id and secret are its name and password. */
  | { kind: 'basic' }
  | {
      kind: 'client_credentials'
      tokenEndpoint: string
      scopes: string[]
      /** RFC 7009; absent where the server has none. */
      revocationEndpoint?: string
    }
  /** An admin consents in a browser. */
  | {
      kind: 'authorization_code'
      authorizationEndpoint: string
      tokenEndpoint: string
      scopes: string[]
      revocationEndpoint?: string
      /** Whether the server takes PKCE; `state` is always sent. */
      usesPkce: boolean
    }

/** Gives an adapter's requests their rights; the service stores and refreshes what stands behind it. */
export interface Credentials {
  /**
   * The value of the Authorization header.
   * @param refused the value that the ERP has just answered with 401, so that another one is got
   * @throws Fatal `reconsent_required` when there is no valid right any more
   */
  authorization(refused?: string): Promise<string>
}

/** What an admin entered at connect, plus what the service itself adds. */
export interface Connection {
  account: string
  role: string
  baseUrl: string | null
  options: Record<string, unknown>
  /** Null for a source that needs none. */
  credentials?: Credentials | null
  /** What only the service itself may set, never a caller's request. */
  internal?: {
    /** Replaces the root of the csv source, for the demo data that is shipped with the service. */
    csvRoot?: string
  }
}

/** Whether a stream can be read with the rights that were granted. */
export interface StreamCheck {
  record: RecordKind
  status: 'ok' | 'absent' | 'forbidden' | 'failed'
  message: string | null
  /** Those of the needed rights that this stream reads by. */
  rights?: string[]
}

/** A kind of ERP. Reading only: nothing here can write. */
export interface Adapter {
  type: string
  /** @throws Fatal when account or options name no usable address */
  auth(connection: Connection): AuthPlan
  /** `complete`: a SKU that the skus stream lacks is gone, with its history; `partial`: it may lack some. */
  catalog: 'complete' | 'partial'
  /** The options that `connect` accepts; unknown ones are refused. */
  options: z.ZodObject
  /** The rights asked of the ERP, as its admin knows them. */
  neededRights(connection: Connection): string[]
  /** @throws Fatal when the account can never be read, e.g. a folder outside the allowed root */
  streams(connection: Connection): Stream[]
  /** Tries every stream without reading it whole. */
  check(connection: Connection, signal: AbortSignal): Promise<StreamCheck[]>
}
