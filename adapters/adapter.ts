import type { z } from 'zod'
import type { OrderForm } from './order-form.ts'
import type { RecordKind, RecordOf } from './records.ts'
import type { QuarantinedRow } from './errors.ts'

/** Resume point of a stream; only the stream that wrote it can read it. */
export type Cursor = string

/** One unit of commit: its records and its cursor are stored in one transaction. */
export interface Page<K extends RecordKind = RecordKind> {
  records: RecordOf<K>[]
  quarantined: QuarantinedRow[]
  cursor: Cursor
  /**
   * Natural keys of records that the ERP has deleted; never set by a snapshot stream. For demand
   * `{ document }`: the line is deleted on any day, before the page's records are stored.
   */
  deleted?: Record<string, string>[]
  /** Of a snapshot: natural keys of records that are as they are stored, though this read has not read them. */
  kept?: Record<string, string>[]
  /** Places of rows that were quarantined and have been read again; for reads that are not whole. */
  reread?: string[]
  /** Milliseconds since 1970 when what is read was written down; absent where an ERP answers as of now. */
  writtenAt?: number
  /** How the rows were understood, where an admin should look at that: sentences. */
  notes?: string[]
  /** Rows read and rows in total, for progress displays only; `total` is null where it is unknown. */
  progress: { done: number; total: number | null; unit: 'bytes' | 'rows' }
}

/** Looks up the records that are stored of a stream: their natural keys, and the values of snapshots. */
export type StoredKeys = () => Promise<Record<string, string>[]>

/**
 * One kind of record read from one ERP.
 *
 * `snapshot`: a read returns every record, so stored records that it lacks are deleted. A read without
 * any page means "nothing changed since the cursor". Only the last page's cursor can be resumed from;
 * a read from an earlier page's cursor starts again. `changedAt`, `keyset`: pages add to the stored
 * records, and a read can resume from any page's cursor. A full read (`since` null) returns every
 * record too, so stored records that it lacks are deleted.
 */
export interface Stream<K extends RecordKind = RecordKind> {
  record: K
  cursor: 'snapshot' | 'changedAt' | 'keyset'
  /** Forecasts need this stream: if it fails, the sync fails. */
  isRequired: boolean
  /** Not every ERP offers it, nor grants it: where it may not be read, a note says what is missing. */
  isOptional?: boolean
  /** A snapshot that delivers its records whatever the cursor, which is therefore kept though rows were bad. */
  isAlwaysRead?: boolean
  /** It is in a file: an export that failed may look like one of nothing. */
  isFile?: boolean
  /** Its SKUs may get other codes: what else is read of them waits until it is read. */
  namesSkus?: boolean
  /**
   * @param since the last stored cursor, null for a full read
   * @param stored for snapshots only; absent where nothing is stored
   * @throws Fatal | Retriable | the signal's reason once it is aborted
   */
  read(since: Cursor | null, signal: AbortSignal, stored?: StoredKeys): AsyncIterable<Page<K>>
}

/** How requests to a source are authorised. */
export type AuthPlan =
  | { kind: 'none' }
  /** Communication user: client id and secret are its name and password. */
  | { kind: 'basic' }
  | {
      kind: 'client_credentials'
      tokenEndpoint: string
      scopes: string[]
      /** Token revocation endpoint (RFC 7009); absent where the server has none. */
      revocationEndpoint?: string
      /** The client proves itself by a signature (RFC 7523): its secret is a private key, PEM. */
      assertion?: {
        /** `kid` of the certificate that the server knows. */
        keyId: string
      }
    }
  /** An admin consents in a browser. */
  | {
      kind: 'authorization_code'
      authorizationEndpoint: string
      tokenEndpoint: string
      scopes: string[]
      revocationEndpoint?: string
      /** Whether PKCE (RFC 7636, S256) is sent, which a server that does not know it ignores; `state` always is. */
      usesPkce: boolean
      /** The `iss` that its answers may name (RFC 9207); absent: one at the authorization endpoint's origin. */
      issuer?: string
      /** What the browser must bring back beside the code: whose account was opened, and by which role. */
      expects?: ExpectedParameter[]
      /** The server redirects to `https` addresses only. */
      needsHttps?: boolean
      /** Days after which the refresh token dies, whatever is refreshed; absent: it lives as long as it is used. */
      consentDays?: number
      /** What the server says of scopes otherwise than it was asked. */
      wording?: ScopeWording
    }

/** A parameter of the address that the browser comes back to. */
export interface ExpectedParameter {
  name: string
  /** @param value null where it is missing */
  isExpected(value: string | null): boolean
  /** A sentence about a consent that brings another. */
  refusal: string
}

/** Scopes that a server states otherwise than it was asked for them. */
export interface ScopeWording {
  /** Stated though nobody asked, and no right beside those that were asked for. */
  harmless: string[]
  /** Asked for and granted, but never stated. */
  unstated: string[]
}

/** Supplies the Authorization header of requests; the service stores and refreshes the tokens. */
export interface Credentials {
  /**
   * The value of the Authorization header.
   * @param refused the value that the ERP has just answered with 401; a new one is fetched
   * @throws Fatal `reconsent_required` when the consent is no longer valid
   */
  authorization(refused?: string): Promise<string>
}

/** What an admin entered to connect the source, plus what the service adds. */
export interface Connection {
  account: string
  role: string
  baseUrl: string | null
  options: Record<string, unknown>
  /** Null for a source that needs no credentials. */
  credentials?: Credentials | null
  /** Set by the service only, never from a request. */
  internal?: {
    /** Replaces the root of the csv source, for the demo data that is shipped with the service. */
    csvRoot?: string
  }
}

/** Whether a stream can be read with the granted rights. */
export interface StreamCheck {
  record: RecordKind
  status: 'ok' | 'absent' | 'forbidden' | 'failed'
  message: string | null
  /** The rights that this stream needs. */
  rights?: string[]
  /** The first rows as they are understood. */
  preview?: string[]
  /** What an admin should look at: sentences. */
  notes?: string[]
}

/** Whether a field of the connection must be given; one that a kind of ERP does not have is left out. */
export type Need = 'required' | 'optional'

/**
 * What a kind of ERP is asked for beside its account and its options, of which the schema says the rest. What each is
 * called stands in the `texts.json` of the adapter's folder. Wizard, command line and `/v1` read this.
 */
export interface ConnectionFields {
  role?: Need
  baseUrl?: Need
  clientId?: Need
  clientSecret?: Need
  /** The options that are asked for at once, in this order; the others are further settings. */
  options?: readonly string[]
  /** Fields that are further settings too. */
  further?: readonly ('clientId' | 'clientSecret')[]
}

/** A kind of ERP. Adapters only read; they never write to the ERP. */
export interface Adapter {
  type: string
  /** @throws Fatal when account or options name no usable address */
  auth(connection: Connection): AuthPlan
  /** `complete`: a SKU missing from the skus stream is deleted with its history; `partial`: it is kept. */
  catalog: 'complete' | 'partial'
  /** Schema of the options that `connect` accepts; unknown options are refused. */
  options: z.ZodObject
  /** In which form this ERP's own import takes orders. */
  orderForm: OrderForm
  /** Absent: role, address, client and secret may be given. */
  fields?: ConnectionFields
  /** The rights that the ERP's admin must grant, by the names that the ERP uses. */
  neededRights(connection: Connection): string[]
  /** @throws Fatal when the account cannot be read at all, e.g. a folder outside the allowed root */
  streams(connection: Connection): Stream[]
  /** Whether it parses files, whose size and content nobody knows: that takes a thread of its own. */
  readsFiles?: boolean
  /** Tries to read a little of every stream. */
  check(connection: Connection, signal: AbortSignal): Promise<StreamCheck[]>
  /**
   * What the source looks like, found without reading it: where it changes, a sync begins. Absent for an ERP that
   * cannot be watched.
   * @returns null where the admin does not want that, or while something is being written
   * @throws Fatal | Retriable
   */
  watchedState?(connection: Connection, signal: AbortSignal): Promise<string | null>
}
