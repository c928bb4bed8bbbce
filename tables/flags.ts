const YES = ['1', 'true', 'yes', 'y', 'ja', 'wahr', 'x']
const NO = ['0', 'false', 'no', 'n', 'nein', 'falsch', '-', 'null']
const FLAGS = new Map([
  ...YES.map((text) => [text, true] as const),
  ...NO.map((text) => [text, false] as const),
])
/** As tables with empty cells are written by programs that count in fractions. */
const FRACTION = /^([01])[.,]0+$/

/** Whether a text says yes; undefined where it says neither yes nor no. */
export const flagOf = (text: string): boolean | undefined =>
  FLAGS.get(FRACTION.exec(text)?.[1] ?? text.toLowerCase())

export const FAULT_OF_FLAG = 'must be 0, 1, true, false, yes, no, ja, nein, x or empty'
