// Buyers who decide all the time, and repeat a decision with its key until they know what became of it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from './instance.ts'

const EVERY_MS = 1_000
const AGAIN_MS = 1_000

export interface Decision {
  id: string
  event: 'approved' | 'rejected'
  /** The first answer that says what became of it. */
  status: number
  tries: number
}

export class Decisions {
  readonly decided: Decision[] = []
  #isOn = true

  async run(instances: Instance[]) {
    while (this.#isOn) {
      await this.#decide(instances).catch(() => {})
      await sleep(EVERY_MS)
    }
  }

  stop() {
    this.#isOn = false
  }

  async #decide(instances: Instance[]) {
    const alive = instances.filter(({ takesCalls }) => takesCalls)
    const reader = alive[Math.floor(Math.random() * alive.length)]
    const { status, json } = (await reader!.call('GET', '/proposals?status=pending&limit=200')) as {
      status: number
      json: { data: { id: string }[] }
    }
    if (status !== 200 || !json.data.length) return
    const { id } = json.data[Math.floor(Math.random() * json.data.length)]!
    const event = Math.random() < 0.3 ? 'approved' : 'rejected'
    await this.#repeat(instances, id, event)
  }

  async #repeat(instances: Instance[], id: string, event: Decision['event']) {
    const key = randomUUID()
    const call = (instance: Instance) =>
      event === 'approved'
        ? instance.call('POST', `/proposals/${id}/approve`, {}, key)
        : instance.call('DELETE', `/proposals/${id}?reason=too_much`)
    for (let tries = 1; ; tries++) {
      const alive = instances.filter(({ takesCalls }) => takesCalls)
      const instance = alive[tries % Math.max(1, alive.length)]
      const answer = instance && (await call(instance).catch(() => undefined))
      const code = (answer?.json as unknown as { error?: { code: string } } | null)?.error?.code
      const isKnown = answer && answer.status < 500 && code !== 'request_in_progress'
      if (isKnown) return void this.decided.push({ id, event, status: answer.status, tries })
      await sleep(AGAIN_MS)
    }
  }
}
