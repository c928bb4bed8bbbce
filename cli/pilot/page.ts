// The report as one page without anything from elsewhere: to show, to print and to send on.
import { toDate } from '../../engine/index.ts'
import { type Column } from '../table.ts'
import type { GroupOf, PairOf, Report } from './figures.ts'
import {
  bandText,
  comparedOf,
  FIGURE_COLUMNS,
  GROUP_NAMES,
  HOW,
  limitsOf,
  percent,
  verdictOf,
  whole,
} from './words.ts'

const GROUPS: Column<GroupOf>[] = [
  ['By', ({ by }) => GROUP_NAMES[by]],
  ['', ({ code }) => code || 'none'],
  ['Pairs', ({ pairs }) => whole(pairs), 'right'],
  ['Stock as it was', ({ stockValue }) => whole(stockValue.own), 'right'],
  ['With Restock', ({ stockValue }) => whole(stockValue.restock), 'right'],
  ['Fill rate as it was', ({ fillRate }) => percent(fillRate.own), 'right'],
  ['With Restock', ({ fillRate }) => percent(fillRate.restock), 'right'],
  ['Saving', ({ saving }) => whole(saving.value), 'right'],
  ['Band', ({ saving }) => bandText(saving), 'right'],
]

const PAIRS: Column<PairOf>[] = [
  ['SKU', ({ sku }) => sku],
  ['Location', ({ location }) => location],
  ['Supplier', ({ supplier }) => supplier],
  ['Stock as it was', ({ own }) => whole(own.stockValue), 'right'],
  ['With Restock', ({ restock }) => whole(restock.stockValue), 'right'],
  ['Units short as it was', ({ own }) => whole(own.short), 'right'],
  ['With Restock', ({ restock }) => whole(restock.short), 'right'],
  ['Saving', ({ saving }) => whole(saving), 'right'],
]

export function pilotPage(
  report: Report,
  today = toDate(Math.floor(Date.now() / 86_400_000)),
): string {
  const { from, to, days, end, groups, gainers, losers, currency } = report
  const isReplayed = report.pairsOf.replayed > 0
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Pilot, ${from} to ${to}</title>
<style>${STYLE}</style>
<main>
<h1>What the proposals would have been worth</h1>
<p>${from} to ${to}, ${Math.round(days / 7)} weeks, replayed week by week; amounts ${currency ? `in ${escaped(currency)}` : 'in the currency of the unit costs'}. Made on ${today}.</p>
<p class="verdict">${escaped(verdictOf(report))}</p>
${
  isReplayed
    ? [
        section(
          'Both sides',
          tableOf(FIGURE_COLUMNS, comparedOf(report)),
          `<p>When the last day was over, stock and open orders were worth ${whole(end.own)} as it was, and ${whole(end.restock)} with Restock.</p>`,
        ),
        section('By four weeks', chartOf(report)),
        groups.length ? section('By group', tableOf(GROUPS, groups)) : '',
        gainers.length
          ? section(`The ${gainers.length} pairs that gain most`, tableOf(PAIRS, gainers))
          : '',
        losers.length
          ? section(`The ${losers.length} pairs that lose most`, tableOf(PAIRS, losers))
          : '',
      ].join('')
    : ''
}
${section('What bounds this', listOf(limitsOf(report)))}
${section('How it is counted', listOf(HOW))}
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
  const head = columns.map(([name, , align]) => cell('th', capital(name), align)).join('')
  const body = rows
    .map(
      (row) =>
        `<tr>${columns.map(([, value, align]) => cell('td', String(value(row) ?? '–'), align)).join('')}</tr>`,
    )
    .join('\n')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const capital = (head: string) =>
  head
    ? head[0]! + head.slice(1).toLowerCase().replace('restock', 'Restock').replace('sku', 'SKU')
    : ''

const [WIDTH, HEIGHT, PAD] = [700, 140, 60]

/** Stock value and fill rate of both sides, block by block. */
function chartOf({ blocks }: Report): string {
  if (blocks.length < 2) return '<p>Too short to draw.</p>'
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
    return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}"><text x="0" y="14" class="t">${title}</text><text x="${PAD - 6}" y="${y(high) + 4}" class="e">${text(high)}</text><text x="${PAD - 6}" y="${y(low) + 4}" class="e">${text(low)}</text>${line('own')}${line('restock')}<text x="${PAD}" y="${HEIGHT - 4}">${blocks[0]!.from}</text><text x="${WIDTH - 10}" y="${HEIGHT - 4}" class="e">${blocks.at(-1)!.from}</text></svg>`
  }
  return `<p><span class="key own">as it was</span> <span class="key restock">with Restock</span></p>${panel('Mean stock value', 0, Math.max(...stock), whole, ({ stockValue }) => stockValue)}${panel('Fill rate', floor, 1, percent, ({ fillRate }) => fillRate ?? 1)}`
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
