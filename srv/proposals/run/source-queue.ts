const last = new Map<number, Promise<unknown>>()

/** Runs of one source follow each other within this instance. */
export function runInTurn<T>(source: number, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(source) ?? Promise.resolve()).then(work)
  const settled = mine
    .catch(() => {})
    .finally(() => {
      if (last.get(source) === settled) last.delete(source)
    })
  last.set(source, settled)
  return mine
}
