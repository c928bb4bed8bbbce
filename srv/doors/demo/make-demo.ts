import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { DAY_MS } from '../../base/time/days.ts'

interface DemandLine {
  sku: string
  location: string
  date: string
  quantity: string
  price: string
  promo: string
}

const DEMAND_COLUMNS = ['sku', 'location', 'date', 'quantity']

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * A shipped history, moved by whole weeks so that its last day lies within the seven before `today`.
 * The shipped files quote nothing and have no empty lines, so that splitting is all they need.
 */
async function readHistory(file: string, today: string): Promise<DemandLine[]> {
  const text = (await promisify(gunzip)(await readFile(file))).toString()
  const [header, ...rows] = text.trimEnd().split('\n')
  const columns = header!.split(',')
  const [sku, location, date, quantity] = DEMAND_COLUMNS.map((column) => columns.indexOf(column))
  const [price, promo] = [columns.indexOf('price'), columns.indexOf('promo')]
  const lines = rows.map((row): DemandLine => {
    const fields = row.split(',')
    return {
      sku: fields[sku!]!,
      location: fields[location!]!,
      date: fields[date!]!,
      quantity: fields[quantity!]!,
      price: fields[price] ?? '',
      promo: fields[promo] ?? '',
    }
  })
  moveToPresent(lines, today)
  return lines
}

function moveToPresent(lines: DemandLine[], today: string) {
  const dates = new Set(lines.map(({ date }) => date))
  const last = [...dates].sort().at(-1)!
  const days = 7 * Math.floor((dayOf(today) - 1 - dayOf(last)) / 7)
  const moved = new Map([...dates].map((date) => [date, dateOf(dayOf(date) + days)]))
  for (const line of lines) line.date = moved.get(line.date)!
}

// Master data that the shipped histories lack (stock, lead times, suppliers, costs), made up from a seed.

const SEED = 'restock demo 1'

const SUPPLIERS = [
  { id: 'S-01', leadTimeDays: 5 },
  { id: 'S-02', leadTimeDays: 7 },
  { id: 'S-03', leadTimeDays: 7 },
  { id: 'S-04', leadTimeDays: 10 },
  { id: 'S-05', leadTimeDays: 14 },
  { id: 'S-06', leadTimeDays: 14 },
  { id: 'S-07', leadTimeDays: 21 },
  { id: 'S-08', leadTimeDays: 35 },
] as const

const LOTS = [1, 1, 6, 6, 12, 24] as const
const REVIEW_DAYS = [7, 7, 14] as const

type Table = (string | number)[][]

interface MasterData {
  items: Table
  locations: Table
  stock: Table
  planning: Table
  openOrders: Table
  receipts: Table
  stockHistory: Table
}

interface PairSummary {
  sku: string
  location: string
  price: number
  /** Units by day. */
  demand: Map<number, number>
}

const pick = <T>(from: readonly T[], random: () => number) =>
  from[Math.floor(random() * from.length)]!

function summarisePairs(lines: DemandLine[]): PairSummary[] {
  const pairs = new Map<string, PairSummary>()
  const days = new Map(lines.map(({ date }) => [date, 0]))
  for (const date of days.keys()) days.set(date, dayOf(date))
  for (const { sku, location, date, quantity, price } of lines) {
    const key = `${location} ${sku}`
    let pair = pairs.get(key)
    if (!pair) pairs.set(key, (pair = { sku, location, price: 0, demand: new Map() }))
    const day = days.get(date)!
    pair.demand.set(day, (pair.demand.get(day) ?? 0) + Number(quantity))
    if (price) pair.price = Number(price)
  }
  return [...pairs.values()]
}

/** One in fifty pairs lacks its lead time and has never been ordered, one in a hundred lacks its stock: they become blocked lines. */
function makeMasterData(lines: DemandLine[], today: string): MasterData {
  const asOfDay = dayOf(today)
  const data: MasterData = {
    ...{ items: [], locations: [], stock: [], planning: [] },
    ...{ openOrders: [], receipts: [], stockHistory: [] },
  }
  const ordered: PastLine[] = []
  const skus = new Set<string>()
  const names = new Map([
    ['IT_STORE_1', 'Grocery store, Italy'],
    ['UK', 'Warehouse, United Kingdom'],
    ['EXPORT', 'Export desk'],
  ])
  for (const [location, name] of names) data.locations.push([location, name])
  for (const pair of summarisePairs(lines)) {
    const { sku, location, demand } = pair
    const ofSku = randomFrom(`${SEED} ${sku}`)
    const supplier = pick(SUPPLIERS, ofSku)
    const cost = Math.max(0.1, pair.price ? pair.price * 0.55 : 0.6 + 1.9 * ofSku()).toFixed(2)
    const lotSize = pick(LOTS, ofSku)
    if (!skus.has(sku)) data.items.push([sku, nameOf(pair), 'PC', supplier.id, cost, 'EUR'])
    skus.add(sku)
    const random = randomFrom(`${SEED} ${sku} ${location}`)
    const moq = lotSize * Math.max(1, Math.round(random() * 4))
    const { id, leadTimeDays } = supplier
    const hasLeadTime = random() >= 0.02
    const reviewDays = pick(REVIEW_DAYS, random)
    data.planning.push([sku, location, hasLeadTime ? leadTimeDays : '', reviewDays, moq, lotSize])
    const terms = { supplier: id, leadTimeDays, reviewDays, moq, lotSize }
    const past = makePast({ sku, location, demand, ...terms }, asOfDay, SEED)
    if (random() >= 0.01) data.stock.push([sku, location, past.onHand])
    if (!hasLeadTime) continue
    for (const line of past.lines) ordered.push(line)
    for (const day of past.stockouts) data.stockHistory.push([sku, location, dateOf(day), 0])
  }
  return { ...data, ...ordersOf(ordered, asOfDay) }
}

/** A supplier gets one order a day and location; what has come of it are receipts. */
function ordersOf(ordered: PastLine[], asOfDay: number) {
  const [openOrders, receipts]: [Table, Table] = [[], []]
  const orders = Map.groupBy(
    ordered.toSorted((a, b) => a.orderedOn - b.orderedOn),
    ({ pair, orderedOn }) => `${orderedOn} ${pair.supplier} ${pair.location}`,
  )
  for (const [at, lines] of [...orders.values()].entries()) {
    const order = `45${String(at + 1).padStart(8, '0')}`
    lines.forEach(({ pair, orderedOn, due, receivedOn, quantity }, i) => {
      const line = [order, 10 * (i + 1), pair.sku, pair.location]
      const dates = [dateOf(orderedOn), dateOf(due), pair.supplier]
      if (receivedOn < asOfDay) receipts.push([...line, dateOf(receivedOn), quantity, ...dates])
      else openOrders.push([...line, quantity, ...dates])
    })
  }
  return { openOrders, receipts }
}

const nameOf = ({ sku, location }: PairSummary) =>
  location === 'IT_STORE_1' ? `Pasta ${sku}` : `Giftware ${sku}`

const SETS = ['pasta_daily.csv.gz', 'online_retail_daily_sparse.csv.gz']

const ORDER_COLUMNS = ['order', 'line', 'sku', 'location']

const COLUMNS = {
  items: ['sku', 'name', 'unit', 'supplier', 'unit_cost', 'currency'],
  locations: ['location', 'name'],
  stock: ['sku', 'location', 'on_hand'],
  stock_history: ['sku', 'location', 'date', 'on_hand'],
  open_orders: [...ORDER_COLUMNS, 'quantity', 'ordered_on', 'due', 'supplier'],
  receipts: [...ORDER_COLUMNS, 'received_on', 'quantity', 'ordered_on', 'due', 'supplier'],
  planning: ['sku', 'location', 'lead_time_days', 'review_period_days', 'moq', 'lot_size'],
  demand: ['sku', 'location', 'date', 'quantity', 'price', 'promo'],
}

/**
 * Writes the demo's csv source: real demand, moved to the present, and made-up master data, orders and stock of its past.
 * The folder appears whole or not at all.
 * @param shipped the folder of the shipped histories; @param folder where the csv files go
 */
export async function makeDemo(shipped: string, folder: string, today: string) {
  const histories = []
  for (const set of SETS) histories.push(await readHistory(path.join(shipped, set), today))
  const lines = histories.flat()
  const { openOrders, stockHistory, ...master } = makeMasterData(lines, today)
  const tables = {
    ...{ ...master, open_orders: openOrders, stock_history: stockHistory },
    demand: demandRows(lines),
  }
  const draft = `${folder}.draft-${process.pid}`
  await mkdir(draft, { recursive: true })
  for (const [name, rows] of Object.entries(tables)) {
    const file = path.join(draft, `${name}.csv.gz`)
    await writeTable(file, COLUMNS[name as keyof typeof COLUMNS], rows)
  }
  await replaceFolder(folder, draft)
}

/** Replaces the folder in one step, since another service may read it or write it at the same time. */
async function replaceFolder(folder: string, draft: string) {
  const old = `${draft}-old`
  await rename(folder, old).catch(ignore('ENOENT'))
  // If another service has written the folder meanwhile, its content is the same.
  await rename(draft, folder).catch(ignore('ENOTEMPTY', 'EEXIST'))
  for (const left of [draft, old]) await rm(left, { recursive: true, force: true })
}

const ignore =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code!)) throw error
  }

function* demandRows(lines: DemandLine[]): Iterable<string[]> {
  for (const line of lines) yield COLUMNS.demand.map((column) => line[column as keyof DemandLine])
}

async function writeTable(file: string, columns: string[], rows: Iterable<Field[]>) {
  const lines = [columns.join(',')]
  for (const row of rows) lines.push(row.map(written).join(','))
  const text = `${lines.join('\n')}\n`
  await writeFile(file, await promisify(gzip)(text, { level: constants.Z_BEST_SPEED }))
}

type Field = string | number

const written = (field: Field) =>
  typeof field === 'string' && field.includes(',') ? `"${field}"` : field

// The demo's past, made up: what a planner would have ordered who knows the demand before each day and nothing later.
// It runs forward to today, so that today's stock and open orders are what it ends with.

/** How a pair is ordered, and what was wanted of it. Days count from any first one. */
interface PlannedPair {
  sku: string
  location: string
  supplier: string
  leadTimeDays: number
  reviewDays: number
  moq: number
  lotSize: number
  /** Units by day. */
  demand: Map<number, number>
}

/** A line of the order that a supplier got for a location on a day. */
interface PastLine {
  pair: PlannedPair
  orderedOn: number
  due: number
  /** It has come if it is before today. */
  receivedOn: number
  quantity: number
}

interface PairPast {
  onHand: number
  lines: PastLine[]
  /** Days that ended without stock. */
  stockouts: number[]
}

/** Days before today from which on orders are known. */
const PAST_DAYS = 400
/** Days before an order whose mean demand the planner takes for what is to come. */
const MEAN_DAYS = 84
const FEWEST_DAYS = 28
const WEEK = 7
const LEAST_FACTOR = 1.2
const FACTOR_SPREAD = 2

/** Lives through the days of a pair up to the eve of `today`. Demand that finds no stock waits, and is served first of what comes. */
function makePast(pair: PlannedPair, today: number, seed: string): PairPast {
  const { sku, location, leadTimeDays, reviewDays, demand } = pair
  const random = randomFrom(`${seed} past ${sku} ${location}`)
  const { first, dailyBefore } = meansOf(demand)
  const start = Math.max(first, today - PAST_DAYS)
  /** How much more than the mean of the past this planner likes to have of the SKU. */
  const factor = LEAST_FACTOR + random() * FACTOR_SPREAD
  const reach = leadTimeDays + reviewDays
  const past: PairPast = { onHand: 0, lines: [], stockouts: [] }
  // A SKU that is new begins with one order's worth of it.
  let net = Math.max(pair.moq, Math.round(dailyBefore(start) * reach * factor))
  let onOrder: PastLine[] = []
  for (let day = start; day < today; day++) {
    for (const { receivedOn, quantity } of onOrder) if (receivedOn === day) net += quantity
    onOrder = onOrder.filter(({ receivedOn }) => receivedOn > day)
    if (ordersOn(pair, today - day)) {
      const daily = dailyBefore(day)
      const available = onOrder.reduce((sum, line) => sum + line.quantity, net)
      const quantity = quantityFor(pair, available, daily * reach * factor, daily * WEEK)
      if (quantity > 0) {
        const due = day + leadTimeDays
        const receivedOn = due + delayOf(pair, today - day, seed)
        const line = { pair, orderedOn: day, due, receivedOn, quantity }
        past.lines.push(line)
        onOrder.push(line)
      }
    }
    net -= demand.get(day) ?? 0
    if (net <= 0) past.stockouts.push(day)
  }
  past.onHand = Math.max(0, net)
  return past
}

/** The first day with demand, and the mean of the days before any other. */
function meansOf(demand: Map<number, number>) {
  const first = Math.min(...demand.keys())
  const sums = [0]
  const until = (day: number) => {
    for (let i = sums.length; i <= day - first; i++)
      sums.push(sums[i - 1]! + (demand.get(first + i - 1) ?? 0))
    return sums[Math.max(0, day - first)]!
  }
  const dailyBefore = (day: number) => {
    const days = Math.min(MEAN_DAYS, Math.max(FEWEST_DAYS, day - first))
    return (until(day) - until(day - days)) / days
  }
  return { first, dailyBefore }
}

/** Each supplier takes orders on a day of the week; a pair that is reviewed every second week skips one. */
function ordersOn({ supplier, reviewDays }: PlannedPair, daysAgo: number): boolean {
  return (daysAgo + numberOf(supplier)) % reviewDays === 0
}

/** Up to a level and a week more, where there is less than the level. */
function quantityFor(
  { moq, lotSize }: PlannedPair,
  available: number,
  level: number,
  more: number,
): number {
  if (available >= level) return 0
  return Math.max(moq, lotSize * Math.ceil((level + more - available) / lotSize))
}

/** An order comes late as a whole: one in five of the worst supplier, hardly one of the best. */
function delayOf({ supplier, location, leadTimeDays }: PlannedPair, daysAgo: number, seed: string) {
  const random = randomFrom(`${seed} ${supplier} ${location} ${daysAgo}`)
  const isLate = random() < 0.03 * numberOf(supplier)
  return isLate ? 1 + Math.floor(random() * 0.6 * leadTimeDays) : 0
}

/** Of `S-03`, 3. */
const numberOf = (supplier: string) => Number(supplier.slice(2))

/** Numbers in [0, 1) that depend on the text alone: the demo is the same on every machine. */
function randomFrom(text: string): () => number {
  let state = 2166136261
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0)!, 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
