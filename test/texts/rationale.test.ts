import fc from 'fast-check'
import { propose } from '../../engine/proposal/index.ts'
import { Rationale } from '../../srv/rationale.ts'
import { anyInput } from '../engine/proposal/any-input.ts'

const withoutSeparators = (text: string) => text.replaceAll(/(?<=\d),(?=\d{3})/g, '')
const [english, german] = [new Rationale('en'), new Rationale('de')]

it('says of any proposal what the stored sentence says', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const result = propose(input)
      if (result.kind !== 'order') return
      expect(withoutSeparators(english.of(result.calculation))).toBe(result.rationale)
    }),
  )
})

it('has in German all numbers of the English sentence', () => {
  const numbersIn = (text: string) => [...text.matchAll(/\d+/g)].map(([digits]) => digits).sort()
  fc.assert(
    fc.property(anyInput, (input) => {
      const result = propose(input)
      if (result.kind !== 'order') return
      expect(numbersIn(german.of(result.calculation))).toEqual(
        numbersIn(english.of(result.calculation)),
      )
    }),
  )
})
