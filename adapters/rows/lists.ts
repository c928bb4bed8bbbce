// Lists that a stream has beside others, and that not every account has, nor every admin grants.
import { type Fatal, isNotThere, isRefused } from '../errors.ts'
import type { RecordKind } from '../records.ts'
import type { Known, SnapshotPage } from './pages.ts'

/** A stored record: its key, and its values as text, numbers or null. */
export type Stored = Record<string, unknown>

export interface List<K extends RecordKind> {
  read(): AsyncIterable<SnapshotPage<K>>
  /** Whether some of the stored records came from it. */
  isAmong(stored: readonly Stored[]): boolean | Promise<boolean>
  /** The error with what an admin can do about it. */
  remedied?(error: Fatal): Fatal
}

/**
 * Says that a list may be left out. One that the ERP refuses is none that this account lacks where it was read before: it
 * fails, so that what is stored of it stays.
 * @throws the error, where the list may not be left out
 */
export async function leaveOut<K extends RecordKind>(
  error: unknown,
  { stored }: Known,
  isAmong: List<K>['isAmong'],
): Promise<Fatal> {
  if (!isNotThere(error)) throw error
  if (isRefused(error) && stored && (await isAmong(await stored()))) throw error
  return error
}

/**
 * One list after the other, with a note for each that is left out. A list of which pages have come is there.
 * @throws Fatal where none of them is there, or one that was read before is refused; Retriable
 */
export async function* readLists<K extends RecordKind>(
  lists: readonly List<K>[],
  known: Known,
): AsyncGenerator<SnapshotPage<K>> {
  const unread: Fatal[] = []
  let before = 0
  for (const { read, isAmong, remedied = asItIs } of lists) {
    let [done, hasCome] = [0, false]
    try {
      for await (const page of read()) {
        ;({ done } = page)
        hasCome = true
        yield { ...page, done: before + done, total: null }
      }
    } catch (error) {
      if (hasCome) throw error
      unread.push(remedied(await leaveOut(error, known, isAmong)))
    }
    before += done
  }
  if (unread.length === lists.length) throw unread[0]!
  const notes = unread.map(({ message }) => message)
  if (notes.length) yield { records: [], quarantined: [], done: before, total: null, notes }
}

const asItIs = (error: Fatal): Fatal => error

/** Whether a stored record is of one of these kinds of drafts. */
export const hasKind =
  (...kinds: string[]) =>
  (stored: readonly Stored[]): boolean =>
    stored.some(({ kind }) => kinds.includes(String(kind)))

/** Whether some of the stored orders name the draft that they were made of. */
export const namesDrafts = (stored: readonly Stored[]): boolean =>
  stored.some(({ draft }) => Boolean(draft))
