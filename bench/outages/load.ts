// 50 calls a second on all instances, as apps and programs send them; each answer is kept with its time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from './instance.ts'

export interface Answer {
  /** Epoch milliseconds at which the call was sent. */
  at: number
  ms: number
  /** 0 where there was none. */
  status: number
  kind: 'lookup' | 'list' | 'app'
  instance: Instance
  hasRetryAfter: boolean
  body: string
}

const PER_SECOND = Number(process.env.CALLS ?? 50)
const TIMEOUT_MS = 30_000

const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

export class Load {
  readonly answers: Answer[] = []
  #isOn = true
  readonly #sending = new Set<Promise<void>>()

  /** @param takesCalls as a balancer knows it */
  async run(instances: Instance[], takesCalls: (instance: Instance) => boolean, skus: number) {
    for (let next = 0; this.#isOn; next++) {
      const instance = instances[next % instances.length]!
      if (takesCalls(instance)) {
        const call = this.#send(instance, next, skus, takesCalls)
        this.#sending.add(call)
        void call.finally(() => this.#sending.delete(call))
      }
      await sleep(1000 / PER_SECOND)
    }
    await Promise.all(this.#sending)
  }

  stop() {
    this.#isOn = false
  }

  async #send(
    instance: Instance,
    next: number,
    skus: number,
    takesCalls: (instance: Instance) => boolean,
  ) {
    const step = next % 10
    const kind = step < 7 ? 'lookup' : step < 9 ? 'list' : 'app'
    const path = {
      lookup: `/v1/forecasts?sku=SKU-${1 + (next % skus)}&location=L1&horizon=28`,
      list: '/v1/proposals?status=pending&limit=20',
      app: '/odata/v4/buyer/Proposals?$top=20',
    }[kind]
    const Authorization = kind === 'app' ? basic('buyer') : `Bearer ${instance.key}`
    const at = Date.now()
    try {
      const response = await fetch(instance.url + path, {
        headers: { Authorization },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const { status, headers } = response
      const body = status === 200 ? '' : await response.text()
      if (status === 200) await response.arrayBuffer()
      const hasRetryAfter = headers.has('retry-after')
      this.answers.push({ at, ms: Date.now() - at, status, kind, instance, hasRetryAfter, body })
    } catch (error) {
      // A balancer would have sent it to another one.
      if (!takesCalls(instance)) return
      const body = String((error as Error).cause ?? error)
      const answer = { at, ms: Date.now() - at, status: 0, kind, instance, hasRetryAfter: false }
      this.answers.push({ ...answer, body } as Answer)
    }
  }
}
