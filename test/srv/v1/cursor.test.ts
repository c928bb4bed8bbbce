import fc from '../../support/properties.ts'
import { fromCursor, toCursor } from '../../../srv/doors/v1/http/page.ts'

const text = fc.string({ unit: 'grapheme' })

describe('a cursor', () => {
  it('gives back its position', () => {
    fc.assert(
      fc.property(text, text, (boundTo, after) => {
        const cursor = toCursor(boundTo, after)
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(fromCursor(boundTo, cursor)).toBe(after)
      }),
    )
  })

  it('is good for nothing but the list that it was given for', () => {
    fc.assert(
      fc.property(text, text, text, (boundTo, other, after) => {
        fc.pre(boundTo !== other)
        expect(() => fromCursor(other, toCursor(boundTo, after))).toThrow(/cursor/)
      }),
    )
  })

  it('cannot be made up', () => {
    fc.assert(
      fc.property(text, text, (boundTo, rubbish) => {
        expect(() => fromCursor(boundTo, rubbish)).toThrow(/cursor/)
      }),
    )
  })
})
