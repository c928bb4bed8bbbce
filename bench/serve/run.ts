// GET /v1/forecasts compared with a bare Express route, and a batch of 1,000: see README.md.
import autocannon from 'autocannon'
import { ask, type Service, startBare, startRestock } from './service.ts'

const CONNECTIONS = 16
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const ROUNDS = 3
const PAIRS = 1000
const HORIZONS = [7, 28, 90]

interface Pair {
  sku: string
  location: string
}

interface Page {
  data: Pair[]
  next_cursor: string | null
  has_more: boolean
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function pairsOf({ url, headers }: Service): Promise<Pair[]> {
  const pairs = new Map<string, Pair>()
  let cursor = ''
  while (pairs.size < PAIRS) {
    const response = await ask(`${url}/proposals?limit=200${cursor}`, { headers })
    const { data, next_cursor, has_more } = (await response.json()) as Page
    for (const { sku, location } of data) pairs.set(`${sku} ${location}`, { sku, location })
    if (!has_more) break
    cursor = `&cursor=${next_cursor}`
  }
  return [...pairs.values()].slice(0, PAIRS)
}

const pathOf = ({ sku, location }: Pair) => `/forecasts?${new URLSearchParams({ sku, location })}`

async function fire(service: Service, pairs: Pair[], seconds: number) {
  const { origin, pathname } = new URL(service.url)
  const base = pathname === '/' ? '' : pathname
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    requests: pairs.map((pair) => ({ path: base + pathOf(pair), headers: service.headers })),
  })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} answers were not 2xx.`)
  return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Milliseconds until the complete answer, one call at a time. */
async function batch({ url, headers }: Service, items: Pair[], horizon: number) {
  const times: number[] = []
  const body = JSON.stringify({ items, horizon })
  for (let round = 0; round < 60; round++) {
    const start = performance.now()
    const response = await ask(`${url}/forecasts/batch`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    })
    const { summary } = (await response.json()) as { summary: { succeeded: number } }
    if (summary.succeeded !== items.length) throw new Error('Not every item succeeded.')
    if (round >= 10) times.push(performance.now() - start)
  }
  return median(times)
}

type Figures = Awaited<ReturnType<typeof fire>>

const row = (name: string, figures: Figures[]) =>
  `| ${name} | ${[
    median(figures.map(({ rps }) => rps)).toFixed(0),
    median(figures.map(({ p50 }) => p50)),
    median(figures.map(({ p99 }) => p99)),
  ].join(' | ')} |`

const restock = await startRestock()
try {
  const pairs = await pairsOf(restock)
  const lookups = pairs.slice(0, 100)
  const first = await ask(restock.url + pathOf(lookups[0]!), { headers: restock.headers })
  const bare = await startBare((await first.json()) as object)
  try {
    await fire(restock, lookups, 2)
    await fire(bare, lookups, 2)
    const figures: Record<'restock' | 'bare', Figures[]> = { restock: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      figures.bare.push(await fire(bare, lookups, SECONDS))
      figures.restock.push(await fire(restock, lookups, SECONDS))
    }
    const share = (name: 'restock' | 'bare') => median(figures[name].map(({ rps }) => rps))
    console.log('| | requests/s | p50 ms | p99 ms |\n|---|---|---|---|')
    console.log(row('`GET /v1/forecasts`', figures.restock))
    console.log(row('bare Express route', figures.bare))
    console.log(`\n${((100 * share('restock')) / share('bare')).toFixed(0)} % of the bare route.\n`)
  } finally {
    await bare.stop()
  }
  console.log(`| batch of ${pairs.length} | p50 ms |\n|---|---|`)
  for (const horizon of HORIZONS) {
    console.log(`| ${horizon} days | ${(await batch(restock, pairs, horizon)).toFixed(1)} |`)
  }
} finally {
  await restock.stop()
}
