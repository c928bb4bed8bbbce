import { Fatal } from '../errors.ts'

/**
 * The rows of an answer, or of a list within a row.
 * @param rule a sentence that says what is wrong where there are none
 * @throws Fatal `unexpected_content` where it is no list, or one of something else than objects
 */
export function objectsIn<Row>(list: unknown, rule: string): Row[] {
  if (Array.isArray(list) && list.every(isObject)) return list as Row[]
  throw new Fatal('unexpected_content', rule)
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
