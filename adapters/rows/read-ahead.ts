/** Work whose result is awaited later: a failure reaches whoever awaits it, and may be awaited by nobody. */
export function startWithoutWaiting<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/**
 * Asks for the next page while the present one is being stored: one page ahead, never more.
 * @param open begins the reading; its signal is aborted when nobody wants more pages
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
