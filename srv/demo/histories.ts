import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { DAY_MS } from '../store/today.ts'

export interface DemandLine {
  sku: string
  location: string
  date: string
  quantity: string
  price: string
  promo: string
}

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** A shipped history, moved by whole weeks so that its last day lies within the seven before `today`. */
export async function readHistory(file: string, today: string): Promise<DemandLine[]> {
  const lines: DemandLine[] = []
  let last = ''
  await pipeline(
    createReadStream(file),
    createGunzip(),
    parse({ columns: true }),
    async (rows: AsyncIterable<Record<string, string>>) => {
      for await (const { sku, location, date, quantity, price, promo } of rows) {
        if (date! > last) last = date!
        lines.push({
          sku: sku!,
          location: location!,
          date: date!,
          quantity: quantity!,
          price: price ?? '',
          promo: promo ?? '',
        })
      }
    },
  )
  const days = 7 * Math.floor((dayOf(today) - 1 - dayOf(last)) / 7)
  for (const line of lines) line.date = dateOf(dayOf(line.date) + days)
  return lines
}
