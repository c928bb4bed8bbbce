import type { Band } from '../../engine/replay/index.ts'
import type { Report } from './figures.ts'

export function linesOfReport(report: Report): string[] {
  const band = ({ value, low, high }: Band) => `${value.toFixed(2)} (${low.toFixed(2)} .. ${high.toFixed(2)})`
  return [
    `${report.from} .. ${report.to} ${report.verdict} ${band(report.saving)} share ${band(report.savingShare)}`,
    ...Object.entries(report.all).map(([name, { own, restock, difference }]) => `${name}: ${own.value.toFixed(2)} | ${restock.value.toFixed(2)} | ${band(difference)}`),
    JSON.stringify({ ...report.pairsOf, gap: report.gapDays, est: report.estimatedShare, unexplained: report.unexplainedShare, named: report.namedPairs }),
    ...report.notes,
  ]
}
