// 50 clients call as fast as they can during one window of the rate limit: see README.md.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Restock, startRestock } from './service.ts'

const CLIENTS = 50
const WINDOW_MS = 60_000
const LIMIT = 600
const OF_ACCOUNT = 3 * LIMIT

async function newKey({ url, headers }: Restock): Promise<string> {
  const response = await ask(`${url}/keys`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'bench', scopes: ['forecasts:read'] }),
  })
  return ((await response.json()) as { key: string }).key
}

/** @returns the allowed calls of each key in one window, and the number of refused calls of all keys */
async function countAllowedCalls(restock: Restock, keys: string[]) {
  const passed = keys.map(() => 0)
  let refused = 0
  const end = Date.now() + WINDOW_MS - 2000
  const client = async (key: number) => {
    const headers = { Authorization: `Bearer ${keys[key]}` }
    while (Date.now() < end) {
      const response = await ask(`${restock.url}/forecasts?sku=none&location=none`, { headers })
      await response.arrayBuffer()
      if (response.status === 404) passed[key]!++
      else if (response.status === 429) refused++
      else throw new Error(`An answer was ${response.status}.`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at % keys.length)))
  await sleep(3000)
  return { passed, refused }
}

const restock = await startRestock({ RESTOCK_RATE_LIMIT: 'on' })
try {
  console.log('| keys | let through | limit | refused |\n|---|---|---|---|')
  for (const [count, limit] of [
    [1, LIMIT],
    [5, OF_ACCOUNT],
  ] as const) {
    const keys = await Promise.all(Array.from({ length: count }, () => newKey(restock)))
    const { passed, refused } = await countAllowedCalls(restock, keys)
    const sum = passed.reduce((a, b) => a + b, 0)
    console.log(`| ${count} | ${sum} (${passed.join(', ')}) | ${limit} | ${refused} |`)
  }
} finally {
  await restock.stop()
}
