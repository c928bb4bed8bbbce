// GET /v1/forecasts compared with a bare node:http server, and a batch of 1,000: see README.md.
import { hash } from 'node:crypto'
import autocannon from 'autocannon'
import { byText } from '../../engine/index.ts'
import { inChunks } from '../../srv/base/database/rows.ts'
import { openCopier } from './databases.ts'
import { ask, type Restock, type Service, startBare, startRestock } from './service.ts'

const CONNECTIONS = 16
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const ROUNDS = 3
const PAIRS = 1000
const HORIZONS = [7, 28, 90]

interface Pair {
  sku: string
  location: string
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** All pairs with a forecast, in an order that is nobody's. */
async function pairsOf({ env }: Restock): Promise<Pair[]> {
  const { run, close } = await openCopier(env.BENCH_DATABASE)
  const rows = await run('select sku, location from restock_PairForecasts where model is not null')
  await close()
  const pairs = rows.map(({ sku, location }) => ({ sku: String(sku), location: String(location) }))
  const placeOf = ({ sku, location }: Pair) => hash('md5', `${sku} ${location}`)
  return pairs.sort((a, b) => byText(placeOf(a), placeOf(b)))
}

const pathOf = ({ sku, location }: Pair) => `/forecasts?${new URLSearchParams({ sku, location })}`

async function fire(service: Service, pairs: Pair[], seconds: number) {
  const { origin, pathname } = new URL(service.url)
  const base = pathname === '/' ? '' : pathname
  const requests = pairs.map((pair) => ({ path: base + pathOf(pair), headers: service.headers }))
  // Each connection asks for pairs of its own: two never ask for the same one at the same moment.
  const shares = Array.from({ length: CONNECTIONS }, (_, own) =>
    requests.filter((_, at) => at % CONNECTIONS === own),
  )
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => client.setRequests(shares.pop()!),
  })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} answers were not 2xx.`)
  return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Milliseconds until the complete answer. */
async function askBatch({ url, headers }: Service, items: Pair[], horizon: number) {
  const start = performance.now()
  const response = await ask(`${url}/forecasts/batch`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ items, horizon }),
  })
  const { summary } = (await response.json()) as { summary: { succeeded: number } }
  if (summary.succeeded !== items.length) throw new Error('Not every item succeeded.')
  return performance.now() - start
}

/** Milliseconds, one call at a time. */
async function batch(service: Service, items: Pair[], horizon: number) {
  const times: number[] = []
  for (let round = 0; round < 60; round++) {
    const time = await askBatch(service, items, horizon)
    if (round >= 10) times.push(time)
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
  const first = await ask(restock.url + pathOf(pairs[0]!), { headers: restock.headers })
  const bare = await startBare((await first.json()) as object)
  try {
    // All are asked once: what is held for 30 s is read anew during the rounds, as in any service.
    for (const items of inChunks(pairs, PAIRS)) await askBatch(restock, items, HORIZONS[0]!)
    await fire(restock, pairs, 2)
    await fire(bare, pairs, 2)
    const figures: Record<'restock' | 'bare', Figures[]> = { restock: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      figures.bare.push(await fire(bare, pairs, SECONDS))
      figures.restock.push(await fire(restock, pairs, SECONDS))
    }
    const share = (name: 'restock' | 'bare') => median(figures[name].map(({ rps }) => rps))
    console.log('| | requests/s | p50 ms | p99 ms |\n|---|---|---|---|')
    console.log(row('`GET /v1/forecasts`', figures.restock))
    console.log(row('bare `node:http` server', figures.bare))
    console.log(
      `\n${((100 * share('restock')) / share('bare')).toFixed(0)} % of the bare server, over ${pairs.length} pairs.\n`,
    )
  } finally {
    await bare.stop()
  }
  const items = pairs.slice(0, PAIRS)
  console.log(`| batch of ${items.length} | p50 ms |\n|---|---|`)
  for (const horizon of HORIZONS) {
    console.log(`| ${horizon} days | ${(await batch(restock, items, horizon)).toFixed(1)} |`)
  }
} finally {
  await restock.stop()
}
