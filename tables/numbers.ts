export type DecimalSign = '.' | ','

const DIGITS = /^\d+$/
const PLAIN = {
  '.': /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i,
  ',': /^[+-]?(\d+(,\d*)?|,\d+)(e[+-]?\d{1,3})?$/i,
}
/** With the other sign between thousands. */
const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/,
}

/** With blanks or apostrophes between thousands. */
const SPACED = /^[+-]?[1-9]\d{0,2}([ \u00a0\u202f'’]\d{3})+([.,]\d*)?$/
/** Minus signs as accountants and typesetters write them: `(5)`, `5-`, `−5`. */
const MINUS = /^(?:\((\d[^()]*)\)|(\d[^-]*)-|−(\d.*))$/

/** The number in plain digits with a decimal point, thousands separators left out; null where the text is none. */
export function plainNumberOf(text: string, decimal: DecimalSign): string | null {
  if (DIGITS.test(text)) return text
  if (PLAIN[decimal].test(text)) return decimal === ',' ? text.replace(',', '.') : text
  if (!GROUPED[decimal].test(text)) {
    const usual = usualNumber(text)
    return usual === text ? null : plainNumberOf(usual, decimal)
  }
  return decimal === ',' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
}

/** Without blanks between thousands, and with a minus sign before it. */
function usualNumber(text: string): string {
  if (SPACED.test(text)) return text.replaceAll(/[ \u00a0\u202f'’]/g, '')
  const [, inBrackets, before, after] = MINUS.exec(text) ?? []
  const rest = inBrackets ?? before ?? after
  return rest === undefined ? text : `-${rest}`
}

/** The decimal signs with which the text is a number; a text that means the same with both, as `12`, has both. */
export type NumberReading = 'same' | 'other' | DecimalSign | 'none'

/** `other`: a number with both signs, but not the same one, as `1.250`. */
export function readingOf(text: string): NumberReading {
  const point = plainNumberOf(text, '.')
  const comma = plainNumberOf(text, ',')
  if (point === null) return comma === null ? 'none' : ','
  if (comma === null) return '.'
  return Number(point) === Number(comma) ? 'same' : 'other'
}

/** What is wrong with a text that is no number with either sign. */
export const faultOfNumber = (): string =>
  'is no number: write digits with one decimal sign, without currency, unit or blanks'

/** What is wrong with a number in a file whose decimal sign is known. */
export function faultOfSigned(text: string, decimal: DecimalSign): string {
  const other = decimal === '.' ? ',' : '.'
  if (plainNumberOf(text, decimal) !== null || plainNumberOf(text, other) === null)
    return faultOfNumber()
  return `does not have "${decimal}" as decimal sign, as others have: write all numbers in one way`
}
