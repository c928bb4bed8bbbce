import { startFakeApi } from './fake-api.ts'
import { restockHere } from './run.ts'
import type { FakeApi } from './fake-api.ts'
import type { Outcome } from './run.ts'

export const KEY = 'rsk_test_secret'

export interface Bench {
  readonly api: FakeApi
  /** Runs a command against the API, with a key. */
  run(...args: string[]): Promise<Outcome>
}

/** A fresh API for each test. */
export function withApi(): Bench {
  let api: FakeApi | undefined
  beforeEach(async () => {
    api = await startFakeApi()
  })
  afterEach(() => api?.close())
  return {
    get api() {
      if (!api) throw new Error('used outside of a test')
      return api
    },
    run(...args) {
      return restockHere(args, { RESTOCK_URL: this.api.url, RESTOCK_API_KEY: KEY })
    },
  }
}
