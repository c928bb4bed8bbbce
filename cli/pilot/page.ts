// The report as one page without anything from elsewhere: to show, to print and to send on.
import { toDate } from '../../engine/index.ts'
import { type Column } from '../table.ts'
import type { GroupOf, PairOf, Report } from './figures.ts'
import type { TextKey, Words } from './texts.ts'
import {
  bandText,
  comparedOf,
  endOf,
  figureColumns,
  howOf,
  limitsOf,
  ofSide,
  SIDES,
  verdictOf,
} from './words.ts'

/** A column of each side. */
const ofSides = <Row>(
  words: Words,
  key: TextKey,
  value: (row: Row, side: 'own' | 'restock') => string,
): Column<Row>[] =>
  SIDES.map(([side, name]) => [ofSide(words, key, name), (row) => value(row, side), 'right'])

const groupColumns = (words: Words): Column<GroupOf>[] => [
  [words.text('by'), ({ by }) => words.text(by)],
  ['', ({ code }) => code || words.text('none')],
  [words.text('pairs'), ({ pairs }) => words.whole(pairs), 'right'],
  ...ofSides<GroupOf>(words, 'stockValue', ({ stockValue }, side) => words.whole(stockValue[side])),
  ...ofSides<GroupOf>(words, 'fillRate', ({ fillRate }, side) => words.percent(fillRate[side])),
  [words.text('saving'), ({ saving }) => words.whole(saving.value), 'right'],
  [words.text('band'), ({ saving }) => bandText(words, saving), 'right'],
]

const pairColumns = (words: Words): Column<PairOf>[] => [
  [words.text('sku'), ({ sku }) => sku],
  [words.text('location'), ({ location }) => location],
  [words.text('supplier'), ({ supplier }) => supplier],
  ...ofSides<PairOf>(words, 'stockValue', (pair, side) => words.whole(pair[side].stockValue)),
  ...ofSides<PairOf>(words, 'short', (pair, side) => words.whole(pair[side].short)),
  [words.text('saving'), ({ saving }) => words.whole(saving), 'right'],
]

export function pilotPage(
  words: Words,
  report: Report,
  today = toDate(Math.floor(Date.now() / 86_400_000)),
): string {
  const { from, to, days, groups, gainers, losers, currency } = report
  const amounts = currency ? words.text('in_currency', { currency }) : words.text('in_unit_costs')
  const most = (key: 'gain_most' | 'lose_most', pairs: PairOf[]) =>
    pairs.length
      ? section(
          words.text(key, { pairs: words.pairs(pairs.length) }),
          tableOf(pairColumns(words), pairs),
        )
      : ''
  return `<!doctype html>
<html lang="${words.language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Pilot, ${words.day(from)} – ${words.day(to)}</title>
<style>${STYLE}</style>
<main>
<h1>${words.text('title')}</h1>
<p>${escaped(words.text('when', { from, to, weeks: Math.round(days / 7), amounts, today }))}</p>
<p class="verdict">${escaped(verdictOf(words, report))}</p>
${
  report.pairsOf.replayed > 0
    ? [
        section(
          words.text('both_sides'),
          tableOf(figureColumns(words), comparedOf(report)),
          `<p>${endOf(words, report)}</p>`,
        ),
        section(words.text('by_four_weeks'), chartOf(words, report)),
        groups.length ? section(words.text('by_group'), tableOf(groupColumns(words), groups)) : '',
        most('gain_most', gainers),
        most('lose_most', losers),
      ].join('')
    : ''
}
${section(words.text('limits'), listOf(limitsOf(words, report)))}
${section(words.text('how'), listOf(howOf(words)))}
</main>
</html>
`
}

const section = (title: string, ...parts: string[]) =>
  `<section><h2>${title}</h2>${parts.join('')}</section>\n`
const listOf = (lines: string[]) =>
  `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`

function tableOf<Row>(columns: Column<Row>[], rows: Row[]): string {
  const cell = (tag: string, text: string, align?: 'right') =>
    `<${tag}${align ? ' class="n"' : ''}>${escaped(text)}</${tag}>`
  const head = columns.map(([name, , align]) => cell('th', name, align)).join('')
  const body = rows
    .map(
      (row) =>
        `<tr>${columns.map(([, value, align]) => cell('td', String(value(row) ?? '–'), align)).join('')}</tr>`,
    )
    .join('\n')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const [WIDTH, HEIGHT, PAD] = [700, 140, 60]

/** Stock value and fill rate of both sides, block by block. */
function chartOf(words: Words, { blocks }: Report): string {
  if (blocks.length < 2) return `<p>${words.text('too_short')}</p>`
  const stock = blocks.flatMap(({ own, restock }) => [own.stockValue, restock.stockValue])
  const rates = blocks.flatMap(({ own, restock }) => [own.fillRate ?? 1, restock.fillRate ?? 1])
  const floor = Math.max(0, Math.floor(10 * Math.min(...rates) - 0.5) / 10)
  const panel = (
    title: string,
    low: number,
    high: number,
    text: (value: number) => string,
    of: (side: Report['blocks'][number]['own']) => number,
  ) => {
    const x = (at: number) => PAD + (at * (WIDTH - PAD - 10)) / (blocks.length - 1)
    const y = (value: number) => HEIGHT - 20 - ((value - low) / (high - low || 1)) * (HEIGHT - 40)
    const line = (side: 'own' | 'restock') =>
      `<polyline class="${side}" points="${blocks.map((block, at) => `${x(at).toFixed(1)},${y(of(block[side])).toFixed(1)}`).join(' ')}"/>`
    return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}"><text x="0" y="14" class="t">${title}</text><text x="${PAD - 6}" y="${y(high) + 4}" class="e">${text(high)}</text><text x="${PAD - 6}" y="${y(low) + 4}" class="e">${text(low)}</text>${line('own')}${line('restock')}<text x="${PAD}" y="${HEIGHT - 4}">${words.day(blocks[0]!.from)}</text><text x="${WIDTH - 10}" y="${HEIGHT - 4}" class="e">${words.day(blocks.at(-1)!.from)}</text></svg>`
  }
  const keys = SIDES.map(([side, name]) => `<span class="key ${side}">${words.text(name)}</span>`)
  const stocks = panel(
    words.text('stockValue'),
    0,
    Math.max(...stock),
    (value) => words.whole(value),
    ({ stockValue }) => stockValue,
  )
  const fillRates = panel(
    words.text('fillRate'),
    floor,
    1,
    (value) => words.percent(value),
    ({ fillRate }) => fillRate ?? 1,
  )
  return `<p>${keys.join(' ')}</p>${stocks}${fillRates}`
}

const STYLE = `:root{--ink:#1d2d3e;--soft:#556b82;--ours:#0064d9;--other:#a05a00;--line:#d5dadd;--paper:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eaecee;--soft:#a9b4be;--ours:#4db1ff;--other:#ffb55a;--line:#3a4650;--paper:#12171c}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}main{max-width:52rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin:1.8rem 0 .6rem}.verdict{font-size:1.15rem;font-weight:600;border-left:4px solid var(--ours);padding-left:.8rem}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line)}.n{text-align:right;font-variant-numeric:tabular-nums}
svg{width:100%;font:12px system-ui,sans-serif}text{fill:var(--soft)}.t{fill:var(--ink);font-weight:600}.e{text-anchor:end}polyline{fill:none;stroke-width:2.5}polyline.own{stroke:var(--other);stroke-dasharray:6 4}polyline.restock{stroke:var(--ours)}
.key::before{content:"";display:inline-block;width:1.6em;border-top:3px solid;margin-right:.4em;vertical-align:middle}.key.own::before{border-color:var(--other);border-top-style:dashed}.key.restock::before{border-color:var(--ours)}
@media print{@page{margin:15mm}:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff}main{margin:0;max-width:none}section{break-inside:auto}tr,svg{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}table{font-size:8.5pt}}`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign]!)
