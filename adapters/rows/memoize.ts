const MAX_ENTRIES = 20_000

/** Caches the results of a pure function, for values that repeat in most rows. */
export function memoize<In, Out>(compute: (value: In) => Out): (value: In) => Out {
  const answers = new Map<In, Out>()
  return (value) => {
    let answer = answers.get(value)
    if (answer !== undefined) return answer
    answer = compute(value)
    if (answers.size >= MAX_ENTRIES) answers.clear()
    answers.set(value, answer)
    return answer
  }
}

/** Reads that several streams wait for, and that are made once; a failed one is forgotten. */
export class Once {
  readonly #reads = new Map<string, Promise<unknown>>()

  get<T>(name: string, read: () => Promise<T>): Promise<T> {
    const begun = this.#reads.get(name) as Promise<T> | undefined
    if (begun) return begun
    const reading = read()
    reading.catch(() => this.#reads.delete(name))
    this.#reads.set(name, reading)
    return reading
  }

  /** A read that ends with the signal of whoever has begun it: the others then read it again. */
  async shared<T>(
    name: string,
    read: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    for (let isOwn = false; ;) {
      try {
        return await this.get(name, () => {
          isOwn = true
          return read(signal)
        })
      } catch (error) {
        signal.throwIfAborted()
        if (isOwn) throw error
      }
    }
  }
}
