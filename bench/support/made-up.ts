// A company of any size in csv files: series of many levels, from every day to once a month, with weekdays and a season.
import { createWriteStream, mkdirSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'

const skuAt = (at: number) => `S${String(at).padStart(6, '0')}`

/** The pair of the series with this index. */
export const pairAt = (at: number) => ({ sku: skuAt(at), location: `L${at % 5}` })

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

interface Size {
  series: number
  days: number
}

/** @param changed of so many series the last day is there, and a little higher; absent: of all, as any other day */
export function* demandLines({ series, days }: Size, changed?: number) {
  yield 'sku,location,date,quantity'
  const dates = Array.from({ length: days + 1 }, (_, ago) => day(ago))
  const last = changed === undefined ? 0 : 1
  for (let at = 0; at < series; at++) {
    const [level, gap] = [1 + (at % 13) ** 2, 1 + (at % 17)]
    for (let ago = days; ago > last; ago--) {
      if ((ago * 31 + at) % gap) continue
      const wave = 1 + 0.4 * Math.sin((ago / 365) * 2 * Math.PI) + (ago % 7 === 0 ? 0.5 : 0)
      const noise = ((at * 7919 + ago * 104_729) % 97) / 97
      const quantity = Math.round(level * wave * (0.5 + noise))
      if (quantity) yield `${skuAt(at)},L${at % 5},${dates[ago]},${quantity}`
    }
    if (at < (changed ?? 0)) yield `${skuAt(at)},L${at % 5},${dates[1]},${level + 1}`
  }
}

export function* linesPerSku(series: number, header: string, of: (at: number) => string) {
  yield header
  for (let at = 0; at < series; at++) yield `${skuAt(at)},L${at % 5},${of(at)}`
}

export const planningLines = (series: number) =>
  linesPerSku(
    series,
    'sku,location,lead_time_days,supplier,unit_cost,currency',
    (at) => `${3 + (at % 20)},V${at % 40},${1 + (at % 9)}.50,EUR`,
  )

export async function writeLines(folder: string, name: string, lines: Iterable<string>) {
  mkdirSync(folder, { recursive: true })
  const stream = createWriteStream(path.join(folder, name))
  for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, 'drain')
  stream.end()
  await once(stream, 'finish')
}
