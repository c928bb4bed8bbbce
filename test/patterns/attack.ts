// Texts that may make a pattern look at the same characters again and again, and how long it takes on them.

const LENGTH = 65_536

/** Not to be found in any pattern: what a match must stop at. */
const STOP = '\u{1}'

const CLASSES: Record<string, string[]> = {
  ...{ d: ['0'], w: ['a', '_'], s: [' ', '\n'], D: ['a'], W: ['-'], S: ['a'] },
  ...{ n: ['\n'], r: ['\r'], t: ['\t'], b: [], B: [], k: [] },
}

/** The characters and words that a pattern mentions, and some others. */
export function piecesOf({ source }: RegExp): string[] {
  const pieces = new Set(['a', '0', ' ', '-', '.', '\n', '"', '\\', 'ä'])
  const plain = source
    .replace(/\\u\{?([\da-f]{2,6})\}?|\\x([\da-f]{2})/gi, (_all, u: string, x: string) => {
      pieces.add(String.fromCodePoint(parseInt(u ?? x, 16)))
      return ' '
    })
    .replace(/\\[pP]\{\w+\}|\(\?<?[=!:]?(?:\w+>)?|\{\d+(?:,\d*)?\}/g, ' ')
    .replace(/\\(.)/gs, (_all, name: string) => {
      for (const each of CLASSES[name] ?? [name]) pieces.add(each)
      return ' '
    })
  for (const letter of plain) if (!'()[]{}*+?|^$ '.includes(letter)) pieces.add(letter)
  for (const [word] of plain.matchAll(/[a-z_]{2,}|-{2,}/gi)) pieces.add(word)
  return [...pieces]
}

/** CPU time of this thread, ms. @returns the least of some tries that are over the limit */
function timeOf(pattern: RegExp, text: string, limit: number) {
  let least = Infinity
  for (let tries = 0; tries < 5 && least > limit; tries++) {
    pattern.lastIndex = 0
    const { user, system } = process.threadCpuUsage()
    text.replace(pattern, '')
    const now = process.threadCpuUsage()
    least = Math.min(least, (now.user + now.system - user - system) / 1000)
  }
  return least
}

/** Times that a text is repeated at first: what grows by a power takes long even then. */
const FEW = 24

/** Lengths to try, each with the time from which on the next one is asked, and with the one that is too long, ms. */
const STEPS = [
  { length: FEW, next: 0, tooLong: 1 },
  { length: 256, next: 0, tooLong: 1 },
  { length: 4_096, next: 20 / (LENGTH / 4_096) ** 2, tooLong: 4 },
  { length: LENGTH, next: Infinity, tooLong: 20 },
]

/**
 * The text of 64 kB on which a pattern takes 20 ms of CPU time or more, described; null where there is none. A text of
 * 4 kB comes first: what is quick there is quick on 64 kB too, even if its time grows by the square of the length.
 */
export function slowText(pattern: RegExp): string | null {
  const pieces = piecesOf(pattern)
  for (const one of pieces) {
    for (const other of pieces) {
      const unit = one === other ? one : one + other
      for (const end of [STOP, '']) {
        const slow = slowRepetition(pattern, unit, end)
        if (slow) return slow
      }
    }
  }
  return null
}

function slowRepetition(pattern: RegExp, unit: string, end: string) {
  for (const { length, next, tooLong } of STEPS) {
    const times = length === FEW ? FEW : length / unit.length
    const took = timeOf(pattern, unit.repeat(times) + end, Math.min(next || tooLong, tooLong))
    const ending = end ? ' and a stop' : ''
    if (took > tooLong) return `${JSON.stringify(unit)} × ${length}${ending}: ${took} ms`
    if (took < next) return null
  }
  return null
}
