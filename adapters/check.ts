import type { Stream, StreamCheck } from './adapter.ts'
import { Fatal, Retriable } from './errors.ts'

const STATUS_OF_CODE: Record<string, StreamCheck['status']> = {
  forbidden: 'forbidden',
  file_not_readable: 'forbidden',
  not_found: 'absent',
}

/** What is wrong there is wrong for all streams. */
const OF_THE_SOURCE = ['account', 'base_url', 'options.database', 'options.company']

/**
 * The status of a stream after a failed read.
 * @throws the error if it concerns the whole source, or is neither Fatal nor Retriable
 */
export function failedCheck(error: unknown): Pick<StreamCheck, 'status' | 'message'> {
  const isKnown = error instanceof Fatal || error instanceof Retriable
  if (!isKnown) throw error
  if (error instanceof Fatal && OF_THE_SOURCE.includes(error.target ?? '')) throw error
  const status = error instanceof Fatal ? STATUS_OF_CODE[error.code] : undefined
  return { status: status ?? 'failed', message: error.message }
}

/**
 * The check of a stream that reads several lists, each where it may be read.
 * @param lists their checks; where some are readable the others are notes
 */
export function checkOfLists(lists: readonly StreamCheck[]): StreamCheck {
  const failed = lists.find(({ status }) => status === 'failed')
  const read = lists.filter(({ status }) => status === 'ok')
  if (failed || !read.length) return failed ?? lists[0]!
  const notes = lists.flatMap(({ message }) => message ?? [])
  const rights = [...new Set(read.flatMap((each) => each.rights ?? []))]
  return { ...read[0]!, rights, ...(notes.length && { notes }) }
}

/** Tries each stream by reading its first page; for ERPs where a page is cheap. */
export function checkFirstPages(
  streams: readonly Stream[],
  rights: string[],
  signal: AbortSignal,
): Promise<StreamCheck[]> {
  const checkOne = async (stream: Stream): Promise<StreamCheck> => {
    const { record } = stream
    const pages = stream.read(null, signal)[Symbol.asyncIterator]()
    try {
      await pages.next()
      return { record, status: 'ok', message: null, rights }
    } catch (error) {
      return { record, ...failedCheck(error), rights }
    } finally {
      await pages.return?.()
    }
  }
  return Promise.all(streams.map(checkOne))
}
