import type { Field } from '../rows/values.ts'

/** Oracle leaves out the zero before the point: `.5`, `-.5`. */
export const withZero = (value: Field): Field =>
  typeof value === 'string' && /^-?\./.test(value) ? value.replace('.', '0.') : value
