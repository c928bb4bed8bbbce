// A balancer as the guide asks for: it looks at `/health/ready` every 2 s, and knows nothing else.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../outages/instance.ts'

const EVERY_MS = 2_000
const LIMIT_MS = 3_000

export class Balancer {
  readonly #ready = new Set<Instance>()
  #isOn = true

  constructor(instances: Instance[]) {
    for (const instance of instances) void this.#watch(instance)
  }

  sendsTo(instance: Instance) {
    return this.#ready.has(instance)
  }

  async untilItSendsTo(instance: Instance) {
    while (!this.sendsTo(instance)) await sleep(100)
  }

  close() {
    this.#isOn = false
  }

  async #watch(instance: Instance) {
    while (this.#isOn) {
      const answer = await fetch(`${instance.url}/health/ready`, {
        signal: AbortSignal.timeout(LIMIT_MS),
      }).catch(() => undefined)
      if (answer?.ok) this.#ready.add(instance)
      else this.#ready.delete(instance)
      await sleep(EVERY_MS)
    }
  }
}
