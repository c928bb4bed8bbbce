import { DEMAND_CLASSES, metricsOf, type Scores, toDate } from '../../engine/index.ts'
import type { BacktestResult } from './backtest-report.ts'

const WIDTH = 760
const LEFT = 190
const RIGHT = 110
const ROW = 20

interface Bar {
  label: string
  /** At least 0; null where nothing was scored. */
  value: number | null
  shown: string
  kind: 'ours' | 'other'
}

interface Panel {
  title: string
  bars: Bar[]
  /** Position and label of a reference line. */
  mark?: { value: number; label: string }
}

/** The result as an SVG that is legible on light and dark backgrounds, or as an HTML page with it. */
export function chartOf(result: BacktestResult, asPage: boolean): string {
  const svg = svgOf(result)
  if (!asPage) return `${svg}\n`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Backtest</title>
<body style="margin:1rem">
${svg}
</body>
</html>
`
}

function svgOf(result: BacktestResult): string {
  const parts: string[] = []
  let y = 54
  for (const { title, bars, mark } of panelsOf(result)) {
    const most = Math.max(mark?.value ?? 0, ...bars.map(({ value }) => value ?? 0)) || 1
    const scale = (WIDTH - LEFT - RIGHT) / most
    parts.push(text(0, y, title, 'title'))
    const top = (y += 12)
    for (const { label, value, shown, kind } of bars) {
      parts.push(text(LEFT - 8, y + 14, label, 'label'))
      const width = (value ?? 0) * scale
      parts.push(
        `<rect class="${kind}" x="${LEFT}" y="${y + 3}" width="${round(width)}" height="${ROW - 6}"/>`,
        text(LEFT + width + 6, y + 14, shown, ''),
      )
      y += ROW
    }
    if (mark) {
      const x = round(LEFT + mark.value * scale)
      parts.push(`<line x1="${x}" y1="${top}" x2="${x}" y2="${y}"/>`)
      parts.push(text(Number(x), y + 13, mark.label, 'middle'))
      y += 14
    }
    y += 30
  }
  const head = `Forecasts of the past: as of ${result.origins.map(({ day }) => toDate(day)).join(', ')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 ${WIDTH + 20} ${y}" width="100%" style="max-width:${WIDTH}px" role="img" aria-label="${head}">
<style>${STYLE}</style>
<rect class="paper" x="-10" width="${WIDTH + 20}" height="${y}"/>
${text(0, 22, head, 'head')}
${parts.join('\n')}
</svg>`
}

const STYLE = `svg{--paper:#fff;--ink:#1d2d3e;--soft:#556b82;--ours:#0064d9;--other:#a9b4be;font:13px system-ui,sans-serif}
@media (prefers-color-scheme:dark){svg{--paper:#12171c;--ink:#eaecee;--soft:#a9b4be;--ours:#4db1ff;--other:#5b738b}}
.paper{fill:var(--paper)}text{fill:var(--ink)}.head{font-size:16px;font-weight:600}.title{font-weight:600}
.label{text-anchor:end;fill:var(--soft)}.middle{text-anchor:middle;fill:var(--soft)}
.ours{fill:var(--ours)}.other{fill:var(--other)}line{stroke:var(--ink);stroke-dasharray:4 3}`

function panelsOf({ rhythm, horizons, all, classes, worst }: BacktestResult): Panel[] {
  const nameOf = (horizon: number) => `${horizon} ${rhythm}${horizon === 1 ? '' : 's'}`
  const loss = (scores: Scores) => metricsOf(scores)?.scaledPinballLoss ?? null
  const shareOf = (label: string, ours: number | null, others: number | null): Bar => {
    const value = ours !== null && others ? ours / others : null
    return { label, value, shown: percent(value), kind: 'ours' }
  }
  const panels: Panel[] = [
    {
      title: 'Loss as a share of that of seasonal naive: shorter is better',
      bars: horizons.map((days, i) =>
        shareOf(nameOf(days), loss(all.restock[i]!), loss(all.seasonalNaive[i]!)),
      ),
      mark: { value: 1, label: 'seasonal naive' },
    },
    {
      title: 'The same by how regular demand is',
      bars: DEMAND_CLASSES.flatMap((name) =>
        horizons.flatMap((days, i) => {
          const { restock, seasonalNaive } = classes[name]
          if (!restock[i]!.cases) return []
          return [shareOf(`${name}, ${nameOf(days)}`, loss(restock[i]!), loss(seasonalNaive[i]!))]
        }),
      ),
      mark: { value: 1, label: 'seasonal naive' },
    },
    {
      title: 'Demand that fell between P10 and P90: 80 % is right',
      bars: horizons.map((days, i) => {
        const value = metricsOf(all.restock[i]!)?.coverage ?? null
        return { label: nameOf(days), value, shown: percent(value), kind: 'ours' }
      }),
      mark: { value: 0.8, label: '80 %' },
    },
  ]
  if (all.baseline.some(({ cases }) => cases > 0))
    panels.push({
      title:
        'Error of the P50, and of the baseline of the file, as a share of demand: shorter is better',
      bars: horizons.flatMap((days, i): Bar[] => {
        const [ours, other] = [all.restockOnBaselineCases[i]!, all.baseline[i]!].map(
          (scores) => metricsOf(scores)?.error ?? null,
        ) as [number | null, number | null]
        return [
          { label: nameOf(days), value: ours, shown: percent(ours), kind: 'ours' },
          { label: 'baseline', value: other, shown: percent(other), kind: 'other' },
        ]
      }),
    })
  if (worst.length)
    panels.push({
      title: `The ${worst.length} SKUs whose P50 was the most units off, over all horizons`,
      bars: worst.map(({ sku, location, restock }) => ({
        label: cut(`${sku} at ${location}`),
        value: restock.error,
        shown: `${Math.round(restock.error)} (${percent(metricsOf(restock)?.error ?? null)})`,
        kind: 'ours',
      })),
    })
  return panels
}

const MAX_LABEL = 28
const cut = (label: string) =>
  label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Without what XML cannot hold. */
const escaped = (content: string) =>
  content
    .replaceAll(/[&<>"]/g, (each) => ENTITIES[each]!)
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '')

const round = (value: number) => value.toFixed(1)
const percent = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(1)} %`)
const text = (x: number, y: number, content: string, kind: string) =>
  `<text x="${round(x)}" y="${y}"${kind && ` class="${kind}"`}>${escaped(content)}</text>`
