/** Starts work that is awaited later, without an unhandled rejection if it is never awaited. */
export function startWithoutWaiting<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/**
 * Fetches the next page while the current one is being stored; at most one page ahead.
 * @param open starts the read; its signal is aborted when the consumer stops
 */
export async function* readAhead<T>(
  open: (signal: AbortSignal) => AsyncIterator<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const ended = new AbortController()
  const pages = open(AbortSignal.any([signal, ended.signal]))
  const askNext = () => startWithoutWaiting(pages.next())
  let next = askNext()
  try {
    for (;;) {
      const page = await next
      if (page.done) return
      next = askNext()
      yield page.value
    }
  } finally {
    ended.abort(new Error('The reading was ended.'))
  }
}
