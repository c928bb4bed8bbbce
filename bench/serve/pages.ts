// The first and the hundredth page of half a million proposals: see README.md.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { ask, type Restock, startRestock } from './service.ts'

const COUNT = Number(process.env.BENCH_PROPOSALS ?? 500_000)
const PAGE = 100
const LISTS = ['', 'status=pending', 'sort=urgency', 'sort=urgency&status=pending', 'sort=-value']
const ROUNDS = 110
const WARM_UP = 10

interface Page {
  data: unknown[]
  next_cursor: string
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function readPage({ url, headers }: Restock, query: string): Promise<Page> {
  const response = await ask(`${url}/proposals?${query}`, { headers })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Page
}

async function measureMs(restock: Restock, query: string) {
  const start = performance.now()
  await readPage(restock, query)
  return performance.now() - start
}

/** Milliseconds until the complete answer; one call at a time, the pages in turn. */
async function measureTimes(restock: Restock, queries: string[]) {
  const times: number[][] = queries.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, query] of queries.entries()) {
      const taken = await measureMs(restock, query)
      if (round >= WARM_UP) times[at]!.push(taken)
    }
  }
  return times.map(median)
}

async function cursorOf(restock: Restock, list: string, page: number) {
  let query = list
  for (let seen = 1; seen < page; seen++) {
    query = `${list}&cursor=${(await readPage(restock, query)).next_cursor}`
  }
  return query
}

const restock = await startRestock()
try {
  const script = path.join(import.meta.dirname, 'proposals.ts')
  const env = { ...process.env, ...restock.env }
  await promisify(execFile)(process.execPath, [script, String(COUNT)], { env })
  console.log('| list | first page, p50 ms | hundredth page, p50 ms | ratio |\n|---|---|---|---|')
  for (const list of LISTS) {
    const hundredth = await cursorOf(restock, list, PAGE)
    const figures = await measureTimes(restock, [list, hundredth])
    const [less, more] = figures.toSorted((a, b) => a - b)
    const cells = [...figures, more! / less!].map((figure) => figure.toFixed(1))
    console.log(`| \`${list}\` | ${cells.join(' | ')} |`)
  }
} finally {
  await restock.stop()
}
