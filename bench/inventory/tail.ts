// node bench/inventory/tail.ts: how often demand exceeds the quantiles above P90 that order quantities are made from.
import { type Days, demandDistribution, quantileOf } from '../../engine/index.ts'
import { type DemandSet, loadSet, REVIEW, SETS } from './sets.ts'

const LEVELS = [0.9, 0.95, 0.975, 0.99]
const HORIZONS: Days[] = [3, 7, 14, 28, 60, 90]

function exceedance({ pairs, start, weeks }: DemandSet, horizon: Days) {
  const above = LEVELS.map(() => 0)
  let cases = 0
  for (const { demand, models } of pairs)
    for (let week = 0; week < weeks; week++) {
      const day = start + week * REVIEW
      if (day + horizon > demand.length) break
      const total = demand.subarray(day, day + horizon).reduce((sum, units) => sum + units, 0)
      const distribution = demandDistribution(models[week]!, horizon)
      LEVELS.forEach((level, i) => {
        if (total > Math.round(quantileOf(distribution, level))) above[i]!++
      })
      cases++
    }
  return { cases, shares: above.map((count) => count / cases) }
}

for (const rule of SETS) {
  const set = await loadSet(rule)
  const name = (level: number) => `above P${100 * level}`
  console.log(`\n${set.name}\n\n| days | cases | ${LEVELS.map(name).join(' | ')} |`)
  console.log(`|---|---|${LEVELS.map(() => '---|').join('')}`)
  for (const horizon of HORIZONS) {
    const { cases, shares } = exceedance(set, horizon)
    const cells = shares.map((share) => `${(100 * share).toFixed(1)} %`)
    console.log(`| ${[horizon, cases, ...cells].join(' | ')} |`)
  }
}
