import type { Page } from '../../adapter.ts'
import type { Batch } from '../../rows/quarantine.ts'

/** The demand of some documents. */
export interface DocumentPage extends Batch<'demand'> {
  /** The key behind which its reading goes on; null where it must begin its days anew. */
  after: readonly string[] | null
  documents: number
  /** The newest day on which one of them was created or changed; null where none says. */
  newest: string | null
  /** Document lines of which nothing else may be left. */
  deleted?: Page['deleted']
}

/** Days of creation, both included. */
export interface Slice {
  from: string
  to: string
}

/** Reads the documents of some days. */
export type ReadDocuments = (
  slice: Slice,
  after: readonly string[] | null,
  signal: AbortSignal,
) => AsyncIterator<DocumentPage>

/** The documents that a source's demand is read from. */
export interface DocumentSource {
  /** @param isWhole whether all documents are read, or what was changed since */
  reader(isWhole: boolean): ReadDocuments
  /** The ERP's present day. */
  today(signal: AbortSignal): Promise<string>
  /** Documents of some days; null where that cannot be told cheaply. */
  count(slice: Slice, signal: AbortSignal): Promise<number | null>
}
