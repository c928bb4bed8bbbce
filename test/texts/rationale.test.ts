import fc from 'fast-check'
import {
  type Calculation,
  type ProposalResult,
  propose,
  raiseForSupplier,
  rationaleOf,
  waitForSupplier,
} from '../../engine/proposal/index.ts'
import { rationaleWords } from '../../srv/base/texts/sentences.ts'
import { anyInput } from '../engine/proposal/any-input.ts'
import { input, steadyDemand } from '../engine/proposal/input.ts'

type Order = Extract<ProposalResult, { kind: 'order' }>

const withoutSeparators = (text: string) => text.replaceAll(/(?<=\d),(?=\d{3})/g, '')
const sayIn = (language: string) => {
  const words = rationaleWords(language)
  return (calculation: Calculation) => rationaleOf(calculation, words)
}
const [english, german] = [sayIn('en'), sayIn('de')]

it('says of any proposal what the stored sentence says', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const result = propose(input)
      if (result.kind !== 'order') return
      expect(withoutSeparators(english(result.calculation))).toBe(result.rationale)
    }),
  )
})

it('says in either language what a price break and freight save', () => {
  const steady = input({
    ...{ forecast: steadyDemand(10), position: { onHand: 40, onOrder: 0 } },
    planning: { unitCost: 21, priceBreaks: [{ from: 600, unitCost: 12.5 }] },
    policy: { costs: { stockoutRate: 0.4, carryingRate: 0.25 } },
  })
  const freeFreight = { units: 40, from: 2000, freightCost: 75.5, carryingCost: 1.25 }
  const raised = raiseForSupplier(steady, propose(steady) as Order, 40, freeFreight)
  if (raised.kind !== 'order') throw new Error('expected an order')
  expect(withoutSeparators(english(raised.calculation))).toBe(raised.rationale)
  expect(german(raised.calculation)).toContain(
    'auf 600: Der Preis fällt von 21,00 auf 12,50 und spart 5.100,00',
  )
  expect(german(raised.calculation)).toContain('Fracht von 75,50')
})

it('says in either language why an order waits', () => {
  const order = propose(input({ forecast: steadyDemand(10), position: { onHand: 40, onOrder: 0 } }))
  const waiting = waitForSupplier(
    input({ forecast: steadyDemand(10), position: { onHand: 40, onOrder: 0 } }),
    order,
    { days: 7, costOfWaiting: 1.25, saving: 30.5 },
  )
  if (waiting.kind !== 'order') throw new Error('expected an order')
  expect(english(waiting.calculation)).toBe(waiting.rationale)
  expect(waiting.rationale).toContain('7 days more cost 1.25')
  expect(german(waiting.calculation)).toContain(
    '7 Tage mehr kosten mit allen Positionen erwartet 1,25 und sparen 30,50',
  )
})

it('has in German all numbers of the English sentence', () => {
  const numbersIn = (text: string) => [...text.matchAll(/\d+/g)].map(([digits]) => digits).sort()
  fc.assert(
    fc.property(anyInput, (input) => {
      const result = propose(input)
      if (result.kind !== 'order') return
      expect(numbersIn(german(result.calculation))).toEqual(numbersIn(english(result.calculation)))
    }),
  )
})
