// A company's first hour with its own data: what it exports, and the commands from nothing to proposals.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AxiosInstance } from 'axios'
import { readHistoryFile } from '../../cli/history-file.ts'
import { toDate } from '../../engine/index.ts'
import type { components } from '../../client/index.ts'
import type { Page, Proposal } from '../../client/types.ts'
import { Service, until } from '../support/service.ts'
import { run } from './documents/run.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'restock-newcomer-'))
let service: Service
let api: AxiosInstance

beforeAll(async () => {
  service = await Service.inTemporaryFolder()
  await service.start({ RESTOCK_DEMO: 'key', RESTOCK_CSV_ROOT: path.join(folder, 'data') })
  api = await service.api()
  const key = String(api.defaults.headers.Authorization).replace('Bearer ', '')
  Object.assign(process.env, { RESTOCK_URL: `${service.url}/v1`, RESTOCK_API_KEY: key })
}, 300_000)
afterAll(async () => {
  await service?.clean()
  rmSync(folder, { recursive: true, force: true })
})

interface Sale {
  sku: string
  location: string
  /** YYYY-MM-DD */
  date: string
  quantity: number
}

const MOST_PAIRS = 30
const DAY_MS = 86_400_000

/** The sales of a shipped history, moved by whole weeks so that it ends within the last seven days. */
async function salesOf(file: string): Promise<Sale[]> {
  const { pairs, histories } = await readHistoryFile(path.join(root, 'data/source', file))
  const { starts, days, quantities } = histories
  const last = days.reduce((latest, day) => Math.max(latest, day), 0)
  const shift = 7 * Math.floor((Math.floor(Date.now() / DAY_MS) - 1 - last) / 7)
  const busiest = pairs
    .map((pair, at) => ({ ...pair, from: starts[at]!, to: starts[at + 1]! }))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
  return busiest.slice(0, MOST_PAIRS).flatMap(({ sku, location, from, to }) =>
    Array.from({ length: to - from }, (_, i) => ({
      ...{ sku, location, date: toDate(days[from + i]! + shift) },
      quantity: quantities[from + i]!,
    })),
  )
}

/** Sums by the day that stands for each one's period. */
function summed(sales: Sale[], periodOf: (date: string) => string): Sale[] {
  const sums = new Map<string, Sale>()
  for (const sale of sales) {
    const date = periodOf(sale.date)
    const key = [sale.sku, sale.location, date].join('\n')
    const sum = sums.get(key) ?? { ...sale, date, quantity: 0 }
    sums.set(key, { ...sum, quantity: sum.quantity + sale.quantity })
  }
  return [...sums.values()]
}

const sunday = (date: string) => {
  const day = new Date(date)
  return toDate(day.getTime() / DAY_MS + ((7 - day.getUTCDay()) % 7))
}
const monthEnd = (date: string) => {
  const [year, month] = date.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
const today = new Date().toISOString().slice(0, 10)
const german = (date: string) => date.split('-').toReversed().join('.')

const asIs = (sales: Sale[]) =>
  sales.map(({ sku, location, date, quantity }) => [sku, location, date, quantity].join(','))
const asGerman = (sales: Sale[]) =>
  sales.map(({ sku, location, date, quantity }) =>
    [sku, location, german(date), String(quantity).replace('.', ',')].join(';'),
  )

/** What three companies have: each as its system writes it. */
const COMPANIES = {
  retail: {
    file: 'online_retail_daily_sparse.csv.gz',
    periodOf: (date: string) => date,
    write: (sales: Sale[]) => ['sku,location,date,quantity', ...asIs(sales)],
  },
  weekly: {
    file: 'pasta_daily.csv.gz',
    periodOf: sunday,
    write: (sales: Sale[]) => ['Artikel;Filiale;Woche;Menge', ...asGerman(sales)],
  },
  monthly: {
    file: 'pasta_daily.csv.gz',
    periodOf: monthEnd,
    write: (sales: Sale[]) => ['Item\tStore\tMonth\tUnits sold', ...asIs(sales).map(toTabs)],
  },
}
const toTabs = (row: string) => row.replaceAll(',', '\t')

const meanOf = (sales: Sale[]) => {
  const first = sales.reduce((least, { date }) => (date < least ? date : least), today)
  const days = (Date.parse(today) - Date.parse(first)) / DAY_MS
  return sales.reduce((sum, { quantity }) => sum + quantity, 0) / days
}

it.each(Object.entries(COMPANIES))(
  'a company with %s data has proposals after ten commands at most, and edits nothing',
  async (name, { file, periodOf, write }) => {
    const sales = summed(await salesOf(file), periodOf)
      .filter(({ date }) => date < today)
      // Each company has its own places.
      .map((sale) => ({ ...sale, location: `${name}-${sale.location}` }))
    const ofPair = Map.groupBy(sales, ({ sku, location }) => `${sku},${location}`)
    const exported = path.join(folder, `exports-${name}`)
    mkdirSync(exported, { recursive: true })
    writeFileSync(path.join(exported, 'demand.csv'), write(sales).join('\n'))
    // What its system knows of stock: enough for three days.
    const stock = [...ofPair].map(([pair, of]) => `${pair},${Math.round(3 * meanOf(of))}`)
    writeFileSync(path.join(exported, 'stock.csv'), ['sku,location,on_hand', ...stock].join('\n'))

    const commands = [
      'npm ci',
      'npm start',
      `mkdir -p data/${name} && cp exports-${name}/*.csv data/${name}/`,
      `npx restock connect --source csv --account ${name}`,
      'npx restock policies set --default --lead-time-days 14 --review-period-days 7',
      'npx restock sync',
      `npx restock proposals list --limit 200`,
    ]
    expect(commands.length).toBeLessThanOrEqual(10)
    const outputs: string[] = []
    // The first two are done: the service runs.
    for (const command of commands.slice(2)) {
      const { code, output } = await run(command, folder)
      outputs.push(output)
      expect([command, code, code ? output : '']).toEqual([command, 0, ''])
    }
    expect(outputs.at(-2)).toContain('succeeded')
    if (name !== 'retail') expect(outputs.at(-2)).toContain(`demand_booked_${name}`)

    const { data } = await api.get<Page<Proposal>>(`/proposals?status=pending&limit=200`)
    const own = data.data.filter(({ sku, location }) => ofPair.has(`${sku},${location}`))
    expect(own.length).toBeGreaterThan(MOST_PAIRS / 2)
    // Sensible: what is expected over the horizon is near what was sold of late.
    const ratios = own
      .map(({ sku, location, calculation: { p50, horizon_days } }) => {
        const of = ofPair.get(`${sku},${location}`)!
        const recent = of.filter(({ date }) => Date.parse(today) - Date.parse(date) < 364 * DAY_MS)
        const mean = recent.reduce((sum, { quantity }) => sum + quantity, 0) / 364
        return p50 / (mean * horizon_days)
      })
      .sort((a, b) => a - b)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeGreaterThan(0.4)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.8)
  },
)

it('is asked what a stockout costs until somebody has said it, and sees at once what that changes', async () => {
  const skus = Array.from({ length: 12 }, (_, at) => `C-${at}`)
  const days = Array.from({ length: 120 }, (_, at) =>
    toDate(Math.floor(Date.now() / DAY_MS) - at - 1),
  )
  // Each day another quantity, so that service costs stock.
  const demand = skus.flatMap((sku, at) =>
    days.map((day, nth) => `${sku},shop,${day},${(nth * (7 + at)) % 11}`),
  )
  const own = path.join(folder, 'data/shop')
  mkdirSync(own, { recursive: true })
  const write = (file: string, rows: string[]) =>
    writeFileSync(path.join(own, file), `${rows.join('\n')}\n`)
  write('demand.csv', ['sku,location,date,quantity', ...demand])
  write('stock.csv', ['sku,location,on_hand', ...skus.map((sku) => `${sku},shop,20`)])
  write('planning.csv', [
    'sku,location,lead_time_days,supplier,unit_cost,currency',
    ...skus.map((sku, at) => `${sku},shop,7,S-1,${at + 1}.00,EUR`),
  ])
  const say = async (command: string) => {
    const { code, output } = await run(`npx restock ${command}`, folder)
    expect([command, code, code ? output : '']).toEqual([command, 0, ''])
    return output
  }
  const home = async () => {
    const Authorization = `Basic ${Buffer.from('buyer:buyer').toString('base64')}`
    const answer = await fetch(`${service.url}/odata/v4/buyer/home()`, {
      headers: { Authorization },
    })
    return (await answer.json()) as { costsQuestion: string | null }
  }
  const listed = async () =>
    (
      await api.get<Page<Proposal> & { costs_question?: string }>(
        '/proposals?status=pending&location=shop&limit=200',
      )
    ).data
  const targetOf = async () =>
    Math.max(...(await listed()).data.map(({ calculation }) => calculation.target_quantile))
  const simulated = async () => {
    const { data } = await api.get<components['schemas']['Simulation']>(
      '/simulations/service?location=shop',
    )
    return Number(data.today.stock_value)
  }

  await say('connect --source csv --account shop')
  await say('sync')
  const QUESTION = 'a unit short costs as much as carrying one for 83 weeks'
  for (let time = 0; time < 2; time++) {
    expect(await say('proposals list --location shop')).toContain(QUESTION)
    expect(await say('costs show')).toContain(QUESTION)
    expect((await listed()).costs_question).toContain(QUESTION)
    expect((await home()).costsQuestion).toContain(QUESTION)
    // Neither a look nor another sync is an answer.
    if (time === 0) for (const other of ['costs preview --weeks 5', 'sync']) await say(other)
  }
  const [target, stock] = [await targetOf(), await simulated()]
  const answer = await say('costs set --unmet-demand backordered --weeks 5')
  expect(answer).toContain('Set. A unit short costs as much as carrying one for 5 weeks')
  expect(await say('costs show')).not.toContain(QUESTION)
  expect((await home()).costsQuestion).toBeNull()
  expect(await simulated()).toBeLessThan(stock)
  await until(async () => (await targetOf()) < target, 60)
  expect(await listed()).not.toHaveProperty('costs_question')
  expect(await say('proposals list --location shop')).not.toContain(QUESTION)
  type Entry = components['schemas']['AuditEntry']
  const whoSet = async () => {
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data: page }: { data: Page<Entry> } = await api.get(
        `/audit?limit=200${cursor && `&cursor=${cursor}`}`,
      )
      const entry = page.data.find(({ detail }) => detail?.includes('stockoutCostShare'))
      if (entry) return entry
      cursor = page.next_cursor
    }
    return null
  }
  // An entry is told once it is sealed.
  await until(async () => (await whoSet())?.actor === 'approver', 60)
})
