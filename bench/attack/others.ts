// Everybody else, who goes on working during an attack.

const EVERY_MS = 50

/** Who signs in as in the demo. */
export const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

/** Whether anybody else waits: reads of the API, of the app and of nothing but the process. */
export class Others {
  readonly times: number[] = []
  failed = 0
  #timer: NodeJS.Timeout
  readonly #waiting = new Set<Promise<void>>()
  constructor(origin: string, headers: Record<string, string>) {
    const calls = [
      [`${origin}/v1/proposals?limit=5`, headers],
      [`${origin}/odata/v4/buyer/Proposals?$top=30`, { Authorization: basic('buyer') }],
      [`${origin}/ui5/state`, {}],
    ] as const
    let next = 0
    this.#timer = setInterval(() => {
      const [url, headers] = calls[next++ % calls.length]!
      const start = performance.now()
      const call = fetch(url, { headers })
        .then(async (answer) => {
          await answer.arrayBuffer()
          if (!answer.ok) this.failed++
          this.times.push(performance.now() - start)
        })
        .catch(() => void this.failed++)
        .finally(() => this.#waiting.delete(call))
      this.#waiting.add(call)
    }, EVERY_MS)
  }
  /** Waits for the answers that are still due: the longest are among them. */
  async stop() {
    clearInterval(this.#timer)
    await Promise.all(this.#waiting)
    const sorted = this.times.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? NaN)
    return { p50: at(0.5), p99: at(0.99), worst: Math.round(sorted.at(-1) ?? NaN) }
  }
}
