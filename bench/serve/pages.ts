// The first and the hundredth page of half a million proposals: see README.md.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { ask, type Restock, startRestock } from './service.ts'

const COUNT = Number(process.env.BENCH_PROPOSALS ?? 500_000)
const PAGE = 100
const LISTS = ['', 'status=pending', 'sort=urgency', 'sort=urgency&status=pending', 'sort=-value']
const ROUNDS = 40

interface Page {
  data: unknown[]
  next_cursor: string
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function read({ url, headers }: Restock, query: string): Promise<Page> {
  const response = await ask(`${url}/proposals?${query}`, { headers })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Page
}

/** Milliseconds from call to whole answer, one call at a time. */
async function time(restock: Restock, query: string) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await read(restock, query)
    if (round >= 5) times.push(performance.now() - start)
  }
  return median(times)
}

async function cursorOf(restock: Restock, list: string, page: number) {
  let query = list
  for (let seen = 1; seen < page; seen++) {
    query = `${list}&cursor=${(await read(restock, query)).next_cursor}`
  }
  return query
}

const restock = await startRestock()
try {
  const script = path.join(import.meta.dirname, 'proposals.ts')
  await promisify(execFile)(process.execPath, [script, restock.file, String(COUNT)])
  console.log('| list | first page, p50 ms | hundredth page, p50 ms |\n|---|---|---|')
  for (const list of LISTS) {
    const hundredth = await cursorOf(restock, list, PAGE)
    const figures = [await time(restock, list), await time(restock, hundredth)]
    console.log(`| \`${list}\` | ${figures.map((ms) => ms.toFixed(1)).join(' | ')} |`)
  }
} finally {
  await restock.stop()
}
