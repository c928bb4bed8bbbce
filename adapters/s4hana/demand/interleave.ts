export interface Lanes<Lane, Page> {
  /** The next work for a lane; null where none is left. */
  next(): Lane | null
  open(lane: Lane, signal: AbortSignal): AsyncIterator<Page>
  /** All pages of a lane have been used. */
  ended(lane: Lane): void
  most: number
}

interface Ready<Lane, Page> {
  lane: Lane
  pages: AsyncIterator<Page>
  result: IteratorResult<Page>
}

/**
 * Pages of several readings in the order in which they arrive. Each reading is one page ahead of what
 * has been used, never more.
 */
export async function* interleave<Lane, Page>(
  lanes: Lanes<Lane, Page>,
  signal: AbortSignal,
): AsyncGenerator<{ lane: Lane; page: Page }> {
  const unwanted = new AbortController()
  const either = AbortSignal.any([signal, unwanted.signal])
  const underWay = new Map<Lane, Promise<Ready<Lane, Page>>>()
  const ask = (lane: Lane, pages: AsyncIterator<Page>) => {
    const ready = pages.next().then((result) => ({ lane, pages, result }))
    ready.catch(() => {}) // whoever awaits it hears of it; nobody may
    underWay.set(lane, ready)
  }
  const fill = () => {
    while (underWay.size < lanes.most) {
      const lane = lanes.next()
      if (!lane) return
      ask(lane, lanes.open(lane, either))
    }
  }
  try {
    for (fill(); underWay.size; fill()) {
      const { lane, pages, result } = await Promise.race(underWay.values())
      if (result.done) {
        underWay.delete(lane)
        lanes.ended(lane)
        continue
      }
      ask(lane, pages)
      yield { lane, page: result.value }
    }
  } finally {
    unwanted.abort(new Error('The reading was ended.'))
  }
}
