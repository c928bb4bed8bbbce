/**
 * A read that several streams wait for. One that fails, or is stopped with the stream that began it, is begun anew by
 * the next one.
 */
export class Shared {
  readonly #begun = new Map<string, Promise<unknown>>()

  async once<T>(name: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    const held = this.#begun.get(name) as Promise<T> | undefined
    if (held) {
      try {
        return await held
      } catch {
        signal.throwIfAborted()
      }
    }
    const own = read()
    this.#begun.set(name, own)
    return own
  }
}
