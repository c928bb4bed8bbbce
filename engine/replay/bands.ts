// How sure a figure is, by drawing pairs and blocks of weeks again.

/** What a figure is and between what it lies, in nine of ten draws. */
export interface Band {
  value: number
  low: number
  high: number
}

/** Values by pair, of each block the same number of them. */
export interface Drawn {
  pairs: number
  blocks: number
  width: number
  /** Of pair, block and place, in this order. */
  values: Float64Array
}

const DRAWS = 600
const LEVEL = 0.9
const SEED = 38

/**
 * Bands of figures that follow from sums over pairs and blocks: both are drawn with replacement, the blocks for all pairs
 * alike, since weeks are good or bad for all of them. A few blocks spread less than they should, by (n − 1)/n, and what they
 * say is held against other weeks, which have a chance of their own: the spread is widened by √(2·n/(n − 1)).
 *
 * Source: Cameron, Gelbach, Miller, Robust inference with multiway clustering, Journal of Business & Economic Statistics 29,
 * 2011; Owen, The pigeonhole bootstrap, Annals of Applied Statistics 1, 2007.
 * @param figures of the sums; the same figures in the same order for any sums
 */
export function bandsOf(drawn: Drawn, figures: (sums: Float64Array) => number[]): Band[] {
  const { pairs, blocks, width } = drawn
  const random = randomFrom(SEED)
  const whole = figures(sumsOf(drawn, null, null))
  const draws = whole.map(() => [] as number[])
  const [timesOfPair, timesOfBlock] = [new Float64Array(pairs), new Float64Array(blocks)]
  for (let draw = 0; draw < DRAWS; draw++) {
    drawAgain(timesOfPair, random)
    drawAgain(timesOfBlock, random)
    figures(
      sumsOf({ pairs, blocks, width, values: drawn.values }, timesOfPair, timesOfBlock),
    ).forEach((figure, at) => draws[at]!.push(figure))
  }
  const wider = Math.sqrt((2 * blocks) / Math.max(1, blocks - 1))
  return whole.map((value, at) => bandOf(value, draws[at]!, wider))
}

function bandOf(value: number, draws: number[], wider: number): Band {
  const sorted = draws.filter(Number.isFinite).sort((a, b) => a - b)
  if (!sorted.length || !Number.isFinite(value)) return { value, low: value, high: value }
  const at = (level: number) => sorted[Math.round(level * (sorted.length - 1))]!
  const tail = (1 - LEVEL) / 2
  return {
    value,
    low: value + wider * Math.min(0, at(tail) - value),
    high: value + wider * Math.max(0, at(1 - tail) - value),
  }
}

function sumsOf(
  { pairs, blocks, width, values }: Drawn,
  timesOfPair: Float64Array | null,
  timesOfBlock: Float64Array | null,
): Float64Array {
  const sums = new Float64Array(width)
  for (let pair = 0; pair < pairs; pair++) {
    const times = timesOfPair ? timesOfPair[pair]! : 1
    if (times === 0) continue
    for (let block = 0; block < blocks; block++) {
      const weight = times * (timesOfBlock ? timesOfBlock[block]! : 1)
      if (weight === 0) continue
      const from = (pair * blocks + block) * width
      for (let at = 0; at < width; at++) sums[at]! += weight * values[from + at]!
    }
  }
  return sums
}

/** How often each of them is drawn, of as many draws. */
function drawAgain(times: Float64Array, random: () => number) {
  times.fill(0)
  for (let i = 0; i < times.length; i++) times[Math.floor(random() * times.length)]!++
}

/** The same numbers in [0, 1) each time: Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
