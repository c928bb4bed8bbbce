// node bench/inventory/chance.ts: the chance of a stockout that is stated, against how often there was one.
import { type Days, demandDistribution, predictQuantiles } from '../../engine/index.ts'
import { riskOf } from '../../engine/proposal/index.ts'
import { type DemandSet, loadSet, REVIEW, SETS } from './sets.ts'

const LEAD_TIMES: Days[] = [7, 28, 83]
/** Stock is so many times what the demand of the last 90 days would use. */
const STOCKS = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5]
const DECILES = 10

interface Decile {
  cases: number
  stated: number
  happened: number
}

function chances({ pairs, start, weeks }: DemandSet, leadTimeDays: Days): Decile[] {
  const deciles = Array.from({ length: DECILES }, () => ({ cases: 0, stated: 0, happened: 0 }))
  const days = leadTimeDays + REVIEW
  for (const { demand, models } of pairs)
    for (let week = 0; week < weeks; week++) {
      const day = start + week * REVIEW
      if (day + days > demand.length) break
      const used = total(demand.subarray(day - 90, day)) / 90
      const wanted = total(demand.subarray(day, day + days))
      for (const stock of new Set(STOCKS.map((times) => Math.round(times * used * days)))) {
        const stated = statedChance(models[week]!, leadTimeDays, stock)
        const decile = deciles[Math.min(DECILES - 1, Math.floor(DECILES * stated))]!
        decile.cases++
        decile.stated += stated
        if (wanted > stock) decile.happened++
      }
    }
  return deciles
}

const total = (demand: Float64Array) => demand.reduce((sum, units) => sum + units, 0)

/** Of a pair that has so much stock, nothing on order and does not order. */
function statedChance(
  model: DemandSet['pairs'][number]['models'][number],
  leadTimeDays: Days,
  onHand: number,
): number {
  const risk = riskOf(
    {
      asOf: '2026-01-01',
      forecast: {
        at: (days) => predictQuantiles(model, days),
        distribution: (days) => demandDistribution(model, days),
      },
      position: { onHand, onOrder: 0, openProposals: 0 },
      planning: {
        ...{ leadTimeDays, reviewPeriodDays: REVIEW, moq: 1, lotSize: 1, supplier: null },
      },
      policy: {
        reviewPeriodDays: REVIEW,
        target: { quantile: 0.9 },
        supplierRequired: false,
      },
    },
    0,
  )
  return risk!.stockoutProbability
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
for (const rule of SETS) {
  const set = await loadSet(rule)
  console.log(`\n| ${set.name}, stated | ${LEAD_TIMES.map((days) => `${days} days |`).join(' ')}`)
  console.log(`|---|${LEAD_TIMES.map(() => '---|').join('')}`)
  const columns = LEAD_TIMES.map((days) => chances(set, days))
  for (let i = 0; i < DECILES; i++) {
    const cells = columns.map((deciles) => {
      const { cases, stated, happened } = deciles[i]!
      return `${percent(stated / cases)} > ${percent(happened / cases)} (${cases})`
    })
    console.log(`| ${10 * i}–${10 * (i + 1)} % | ${cells.join(' | ')} |`)
  }
}
