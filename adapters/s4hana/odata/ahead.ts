/** Something that is wanted later: whoever awaits it hears of its failure; nobody may. */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/**
 * Asks for the next page while the present one is being used: one ahead, never more.
 * @param open begins the reading; its signal is aborted when nobody wants more pages
 */
export async function* ahead<T>(
  open: (signal: AbortSignal) => AsyncIterator<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const unwanted = new AbortController()
  const pages = open(AbortSignal.any([signal, unwanted.signal]))
  const ask = () => begun(pages.next())
  let next = ask()
  try {
    for (;;) {
      const page = await next
      if (page.done) return
      next = ask()
      yield page.value
    }
  } finally {
    unwanted.abort(new Error('The reading was ended.'))
  }
}
