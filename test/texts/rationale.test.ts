import fc from 'fast-check'
import { type Calculation, propose, rationaleOf } from '../../engine/proposal/index.ts'
import { rationaleWords } from '../../srv/rationale.ts'
import { anyInput } from '../engine/proposal/any-input.ts'

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
