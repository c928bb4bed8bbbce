import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DAY_MS } from '../store/today.ts'

export interface DemandLine {
  sku: string
  location: string
  date: string
  quantity: string
  price: string
  promo: string
}

const COLUMNS = ['sku', 'location', 'date', 'quantity']

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * A shipped history, moved by whole weeks so that its last day lies within the seven before `today`.
 * The shipped files quote nothing and have no empty lines, so that splitting is all they need.
 */
export async function readHistory(file: string, today: string): Promise<DemandLine[]> {
  const text = (await promisify(gunzip)(await readFile(file))).toString()
  const [header, ...rows] = text.trimEnd().split('\n')
  const columns = header!.split(',')
  const [sku, location, date, quantity] = COLUMNS.map((column) => columns.indexOf(column))
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
