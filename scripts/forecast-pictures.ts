// node scripts/forecast-pictures.ts: draws the pictures of docs/guides/how-forecasts-are-made.md and glossary.md with the engine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  demandDistribution,
  predictDemand,
  quantileOf,
  type DemandHistory,
  splitByDriver,
  EMPTY_CONTEXT,
} from '../engine/index.ts'
import { forecastPair, toDate, toEpochDay } from '../engine/index.ts'

const FOLDER = join(import.meta.dirname, '../docs/images')
const AS_OF = toEpochDay('2026-11-16')
const DAYS = 420
const SHOWN = 70
const STOCKOUT = { from: AS_OF - 40, to: AS_OF - 33 }
const PLANNED = [4, 5, 6]
const WEEKDAYS = [0.8, 0.8, 0.9, 1, 1.4, 1.6, 0.5]

const WIDTH = 760
const STYLE = `svg{--paper:#fff;--ink:#1d2d3e;--soft:#556b82;--bar:#a9b4be;--mark:#e26300;--line:#0064d9;font:13px system-ui,sans-serif}
@media (prefers-color-scheme:dark){svg{--paper:#12171c;--ink:#eaecee;--soft:#a9b4be;--bar:#5b738b;--mark:#ff9a4d;--line:#4db1ff}}
.paper{fill:var(--paper)}text{fill:var(--ink)}.soft{fill:var(--soft)}.bar{fill:var(--bar)}.mark{fill:var(--mark)}
.ours{fill:var(--line)}.range{fill:var(--line);opacity:.25}line{stroke:var(--line);stroke-width:2}.cut{stroke:var(--soft);stroke-dasharray:4 3;stroke-width:1}
.end{text-anchor:end}.middle{text-anchor:middle}`

/** A synthetic SKU: 20 units a day, a weekly pattern, a promotion every fifth week, one week without stock. */
function history(): DemandHistory {
  const days = Int32Array.from({ length: DAYS }, (_, i) => AS_OF - DAYS + i)
  const promo = Uint8Array.from(days, (day) => Number((day - AS_OF + 700) % 35 < 3))
  const quantities = Float64Array.from(days, (day, i) => {
    if (day >= STOCKOUT.from && day < STOCKOUT.to) return 0
    const noise = 1 + 0.25 * Math.sin(i * 12.9898) * Math.cos(i * 4.1414)
    return Math.round(20 * WEEKDAYS[(day + 3) % 7]! * noise * (promo[i] ? 2.2 : 1))
  })
  const plan = Int32Array.from(PLANNED, (offset) => AS_OF + offset)
  return { days, quantities, promo, plan }
}

const sku = history()
const model = forecastPair(sku, AS_OF, { ...EMPTY_CONTEXT, knownFrom: AS_OF - DAYS })

const text = (x: number, y: number, content: string, kind = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${kind && ` class="${kind}"`}>${content}</text>`
const box = (kind: string, x: number, y: number, width: number, height: number) =>
  `<rect class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"/>`

function save(name: string, height: number, title: string, parts: string[]): void {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${text(20, 26, title)}
${parts.join('\n')}
</svg>
`
  writeFileSync(join(FOLDER, name), svg)
}

/** Sales per day, with promotions and the days detected as a stockout. */
function drawHistory(): void {
  const first = AS_OF - SHOWN
  const sold = sku.days.map((_, i) => i).filter((i) => sku.days[i]! >= first)
  const most = Math.max(...Array.from(sold, (i) => sku.quantities[i]!))
  const [base, step] = [220, (WIDTH - 60) / SHOWN]
  const bars = Array.from(sold, (i) => {
    const height = (170 * sku.quantities[i]!) / most
    const x = 40 + (sku.days[i]! - first) * step
    return box(sku.promo![i] ? 'mark' : 'bar', x, base - height, step - 2, height)
  })
  const gap = 40 + (STOCKOUT.from - first) * step
  const gapWidth = (STOCKOUT.to - STOCKOUT.from) * step
  save('forecast-history.svg', 270, 'What was sold, day by day', [
    ...bars,
    box('range', gap, 50, gapWidth, base - 50),
    text(gap + gapWidth / 2, 66, 'no stock', 'middle'),
    text(40, base + 20, toDate(first), 'soft'),
    text(WIDTH - 20, base + 20, toDate(AS_OF - 1), 'soft end'),
    box('mark', 40, base + 31, 10, 10),
    text(56, base + 40, 'a promotion ran', 'soft'),
  ])
}

const NAMES: { [code: string]: string } = {
  level: 'level',
  annual_seasonality: 'season',
  learnt: 'learnt',
  promotion: 'promotion',
  weekly_seasonality: 'weekdays',
}

/** The P50 of ten days as a sum of its parts, and the range around it. */
function drawAmounts(): void {
  const horizon = 10
  const { p10, p50, p90 } = predictDemand(model, horizon)
  const scale = (WIDTH - 250) / (p90 * 1.1)
  let [from, y] = [0, 44]
  const parts: string[] = []
  for (const { code, amount } of splitByDriver(model, horizon)) {
    const start = Math.min(from, from + amount)
    const kind = code === 'promotion' ? 'mark' : 'bar'
    parts.push(box(kind, 120 + start * scale, y, Math.abs(amount) * scale, 22))
    parts.push(text(110, y + 16, NAMES[code] ?? code, 'end'))
    const sign = amount > 0 && from ? '+' : ''
    parts.push(text(126 + Math.max(from, from + amount) * scale, y + 16, `${sign}${amount}`))
    from += amount
    y += 32
  }
  parts.push(box('range', 120 + p10 * scale, y, (p90 - p10) * scale, 22))
  parts.push(box('ours', 119 + p50 * scale, y, 3, 22))
  parts.push(text(110, y + 16, 'forecast', 'end'))
  parts.push(text(126 + p90 * scale, y + 16, `P50 ${p50}, P90 ${p90}`))
  parts.push(text(114 + p10 * scale, y + 16, `P10 ${p10}`, 'end'))
  save(
    'forecast-amounts.svg',
    y + 44,
    'How the forecast of the next ten days adds up, in units',
    parts,
  )
}

/** Totals of one to eight weeks: the range grows more slowly than the number of weeks. */
function drawRange(): void {
  const weeks = [1, 2, 3, 4, 6, 8]
  const most = predictDemand(model, 56).p90 * 1.05
  const step = (WIDTH - 100) / weeks.length
  const at = (units: number) => 250 - (200 * units) / most
  const parts = weeks.flatMap((week, i) => {
    const { p10, p50, p90 } = predictDemand(model, 7 * week)
    const x = 60 + i * step
    return [
      box('range', x, at(p90), 50, at(p10) - at(p90)),
      `<line x1="${x.toFixed(1)}" y1="${at(p50).toFixed(1)}" x2="${(x + 50).toFixed(1)}" y2="${at(p50).toFixed(1)}"/>`,
      text(x + 25, at(p90) - 6, String(p90), 'middle soft'),
      text(x + 56, at(p50) + 4, String(p50)),
      text(x + 25, at(p10) + 15, String(p10), 'middle soft'),
      text(x + 25, 288, week === 1 ? '1 week' : `${week} weeks`, 'middle soft'),
    ]
  })
  save('forecast-range.svg', 304, 'The total of the next weeks: P10, P50 and P90', parts)
}

/** Twenty outcomes that are as likely as each other, and what the three numbers cut off of them. */
function drawQuantiles(): void {
  const outcomes = 20
  const days = 21
  const distribution = demandDistribution(model, days)
  const { p10, p50, p90 } = predictDemand(model, days)
  const [least, most] = [0.005, 0.995].map((level) => quantileOf(distribution, level)) as [
    number,
    number,
  ]
  const at = (units: number) => 60 + ((WIDTH - 120) * (units - least)) / (most - least)
  const dots = Array.from({ length: outcomes }, (_, i) => {
    const units = quantileOf(distribution, (i + 0.5) / outcomes)
    const isOutside = i < 2 || i >= outcomes - 2
    return `<circle class="${isOutside ? 'mark' : 'ours'}" cx="${at(units).toFixed(1)}" cy="120" r="7"/>`
  })
  const marks = [
    ['P10', p10, '2 of 20 come to less'],
    ['P50', p50, '10 to less, 10 to more'],
    ['P90', p90, '2 of 20 come to more'],
  ] as const
  save(
    'forecast-quantiles.svg',
    232,
    'What may be wanted in the next 21 days: twenty outcomes, each as likely',
    [
      box('range', at(p10), 70, at(p90) - at(p10), 90),
      ...dots,
      ...marks.flatMap(([name, units, what], i) => [
        `<line class="cut" x1="${at(units).toFixed(1)}" y1="60" x2="${at(units).toFixed(1)}" y2="180"/>`,
        text(at(units), 54, `${name} ${units}`, 'middle'),
        text(at(units), 198 + (i === 1 ? 20 : 0), what, 'middle soft'),
      ]),
    ],
  )
}

drawHistory()
drawAmounts()
drawRange()
drawQuantiles()
