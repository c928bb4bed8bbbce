import type { Steps } from './steps.ts'

/** How regular demand is, by Syntetos, Boylan and Croston (2005). */
export type DemandClass = 'smooth' | 'erratic' | 'intermittent' | 'lumpy'

export const DEMAND_CLASSES: readonly DemandClass[] = ['smooth', 'erratic', 'intermittent', 'lumpy']

/** Mean steps from one demand to the next (ADI), and squared variation of their sizes (CV²). */
const CUT_OFFS = { interval: 1.32, variation: 0.49 }

export function demandClassOf({ values }: Pick<Steps, 'values'>): DemandClass {
  let [count, sum, squares] = [0, 0, 0]
  for (const value of values) {
    if (value === 0) continue
    count++
    sum += value
    squares += value * value
  }
  const mean = sum / Math.max(1, count)
  const variation = count ? (squares / count - mean * mean) / (mean * mean) : 0
  const isRare = values.length >= CUT_OFFS.interval * count
  if (variation < CUT_OFFS.variation) return isRare ? 'intermittent' : 'smooth'
  return isRare ? 'lumpy' : 'erratic'
}
