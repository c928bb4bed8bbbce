// node bench/inventory/acted.ts: how near the ratio of costs that is read from a year of stock comes to the one that a
// made-up company acted by.
import { actedRatio } from '../../engine/inventory/acted-ratio.ts'
import { type Company, live, makeCompany } from '../../test/engine/inventory/companies.ts'

const RATIOS = Array.from({ length: 20 }, (_, nth) => 2 * 50 ** (nth / 19))
const SEEDS = [100, 900]

const WORLDS: [string, Partial<Company>, size: number][] = [
  ['knows its demand', {}, 200],
  ['40 pairs alone', {}, 40],
  ['12 pairs alone', {}, 12],
  ['wrong about the demand of a pair by 10 %', { error: 0.1 }, 200],
  ['… by 20 %', { error: 0.2 }, 200],
  ['… by 30 %', { error: 0.3 }, 200],
  ['what finds no stock is lost', { isLost: true }, 200],
]

console.log('| the company | within a third | within its band | cannot be told |')
console.log('| --- | --- | --- | --- |')
for (const [name, more, size] of WORLDS) {
  const cells = SEEDS.map((seed) => {
    const sum = { near: 0, within: 0, untold: 0 }
    RATIOS.forEach((weeks, nth) => {
      const ratio = actedRatio(live(makeCompany(seed + nth, weeks, size, more), seed + 400 + nth))
      if (!ratio) return void sum.untold++
      if (Math.abs(ratio.weeks / weeks - 1) <= 1 / 3) sum.near++
      if (ratio.low <= weeks && weeks <= ratio.high) sum.within++
    })
    return sum
  })
  const of = (key: 'near' | 'within' | 'untold') => cells.map((cell) => cell[key]).join(', ')
  console.log(`| ${name} | ${of('near')} | ${of('within')} | ${of('untold')} |`)
}
