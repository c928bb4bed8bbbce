import type { Page } from '../../adapter.ts'
import type { RecordKind } from '../../records.ts'
import type { Batch } from '../../rows/pages.ts'

/** The records of some documents. */
export interface DocumentPage<K extends RecordKind = 'demand'> extends Batch<K> {
  /** Reading continues after this key; null where the slice must be read again from its start. */
  after: readonly string[] | null
  documents: number
  /** The newest day on which one of the documents was created or changed; null if unknown. */
  newest: string | null
  /** Document lines whose stored demand is replaced by this page's records. */
  deleted?: Page['deleted']
}

/** A range of creation days, both included. */
export interface Slice {
  from: string
  to: string
}

/** Reads the documents of a slice. */
export type ReadDocuments<K extends RecordKind = 'demand'> = (
  slice: Slice,
  after: readonly string[] | null,
  signal: AbortSignal,
) => AsyncIterator<DocumentPage<K>>

/** The documents that a source's demand or receipts are read from. */
export interface DocumentSource<K extends RecordKind = 'demand'> {
  /** @param isWhole true for a full read, false for new and changed documents only */
  reader(isWhole: boolean): ReadDocuments<K>
  /** The ERP's current day. */
  today(signal: AbortSignal): Promise<string>
  /** Number of documents of a slice; null where counting is expensive. */
  count(slice: Slice, signal: AbortSignal): Promise<number | null>
}
