import { exactOf, type Field, unitsOf } from '../rows/values.ts'

/** Oracle leaves out the zero before the point: `.5`, `-.5`. */
export const withZero = (value: Field): Field =>
  typeof value === 'string' && /^-?\./.test(value) ? value.replace('.', '0.') : value

/** A quantity, which is negative in documents that take stock away. */
export const movedOf = (value: Field, field: string) => exactOf(withZero(value), field)

/** A quantity or price that is not negative. */
export const amountOf = (value: Field, field: string) => unitsOf(withZero(value), field)
