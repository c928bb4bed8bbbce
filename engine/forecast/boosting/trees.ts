import { BIN_COUNT } from './bins.ts'

/**
 * A sum of oblivious trees: all nodes of a level ask the same question, so that a leaf's number has a
 * bit for each answer. Plain data.
 */
export interface Trees {
  /** Tree by tree, {@link DEPTH} questions: is the feature's bin above the cut? */
  features: number[]
  cuts: number[]
  /** Tree by tree, 2^{@link DEPTH} values. */
  leaves: number[]
}

/** What trees learn from: `columns[feature][row]` is a bin. */
export interface TrainingSet {
  columns: Uint8Array[]
  /** What the trees are to add, and what an error of a row costs. */
  residual: Float64Array
  weight: Float64Array
}

const DEPTH = 4
const LEAVES = 1 << DEPTH
const TREES = 90
const RATE = 0.08
/** Mean rows by which the gain of a split is drawn to nothing, and a leaf's value likewise. */
const SPLIT_PRIOR = 20
const LEAF_PRIOR = 30
const BISECTIONS = 20

/** The value that the trees give a row of bins. */
export function treesValue({ features, cuts, leaves }: Trees, bins: Uint8Array): number {
  let value = 0
  for (let tree = 0, at = 0; at < features.length; tree++, at += DEPTH) {
    let leaf = tree << DEPTH
    for (let d = 0; d < DEPTH; d++) if (bins[features[at + d]!]! > cuts[at + d]!) leaf += 1 << d
    value += leaves[leaf]!
  }
  return value
}

/**
 * Boosts the quantile at `level` (Friedman 2001, with the pinball loss): each tree is grown on the
 * loss's gradient, and its leaves are weighted quantiles of what the trees before it left over.
 * The same lesson gives the same trees to the bit.
 */
export function growTrees({ columns, residual, weight }: TrainingSet, level: number): Trees {
  const left = residual.slice()
  const gradient = new Float64Array(left.length)
  const leaf = new Uint8Array(left.length)
  const trees: Trees = { features: [], cuts: [], leaves: [] }
  const meanWeight = weight.reduce((sum, one) => sum + one, 0) / weight.length
  for (let tree = 0; tree < TREES; tree++) {
    for (let i = 0; i < left.length; i++)
      gradient[i] = (left[i]! > 0 ? level : level - 1) * weight[i]!
    leaf.fill(0)
    for (let d = 0; d < DEPTH; d++) {
      const { feature, cut } = bestSplit(columns, gradient, weight, leaf, d, meanWeight)
      const column = columns[feature]!
      for (let i = 0; i < leaf.length; i++) if (column[i]! > cut) leaf[i]! += 1 << d
      trees.features.push(feature)
      trees.cuts.push(cut)
    }
    const values = leafQuantiles(left, weight, leaf, level)
    for (let i = 0; i < left.length; i++) left[i]! -= values[leaf[i]!]!
    trees.leaves.push(...values)
  }
  return trees
}

const gradients = new Float64Array(LEAVES * BIN_COUNT)
const weights = new Float64Array(LEAVES * BIN_COUNT)

/** The question whose two answers, in all nodes of the level, tell the gradients best apart. */
function bestSplit(
  columns: Uint8Array[],
  gradient: Float64Array,
  weight: Float64Array,
  leaf: Uint8Array,
  depth: number,
  meanWeight: number,
): { feature: number; cut: number } {
  const nodes = 1 << depth
  const prior = SPLIT_PRIOR * meanWeight
  let best = { feature: 0, cut: 0 }
  let most = -Infinity
  columns.forEach((column, feature) => {
    addUp(column, gradient, weight, leaf, nodes)
    for (let cut = 0; cut < BIN_COUNT - 1; cut++) {
      let gain = 0
      for (let node = 0; node < nodes; node++) {
        const at = node * BIN_COUNT
        const last = at + BIN_COUNT - 1
        const below = gradients[at + cut]!
        const above = gradients[last]! - below
        gain += (below * below) / (weights[at + cut]! + prior)
        gain += (above * above) / (weights[last]! - weights[at + cut]! + prior)
      }
      if (gain <= most * (1 + 1e-12)) continue
      most = gain
      best = { feature, cut }
    }
  })
  return best
}

/** Sums of gradient and weight by node, over all bins up to each. */
function addUp(
  column: Uint8Array,
  gradient: Float64Array,
  weight: Float64Array,
  leaf: Uint8Array,
  nodes: number,
): void {
  const size = nodes * BIN_COUNT
  gradients.fill(0, 0, size)
  weights.fill(0, 0, size)
  for (let i = 0; i < column.length; i++) {
    const at = leaf[i]! * BIN_COUNT + column[i]!
    gradients[at]! += gradient[i]!
    weights[at]! += weight[i]!
  }
  for (let at = 1; at < size; at++) {
    if (at % BIN_COUNT === 0) continue
    gradients[at]! += gradients[at - 1]!
    weights[at]! += weights[at - 1]!
  }
}

/** The weighted quantile of each leaf's rows, by bisection, drawn to nothing where they are few. */
function leafQuantiles(
  left: Float64Array,
  weight: Float64Array,
  leaf: Uint8Array,
  level: number,
): number[] {
  const low = new Float64Array(LEAVES).fill(Infinity)
  const high = new Float64Array(LEAVES).fill(-Infinity)
  const total = new Float64Array(LEAVES)
  const rows = new Float64Array(LEAVES)
  for (let i = 0; i < left.length; i++) {
    const at = leaf[i]!
    if (left[i]! < low[at]!) low[at] = left[i]!
    if (left[i]! > high[at]!) high[at] = left[i]!
    total[at]! += weight[i]!
    rows[at]!++
  }
  const middle = new Float64Array(LEAVES)
  const upTo = new Float64Array(LEAVES)
  for (let round = 0; round < BISECTIONS; round++) {
    for (let at = 0; at < LEAVES; at++) middle[at] = (low[at]! + high[at]!) / 2
    upTo.fill(0)
    for (let i = 0; i < left.length; i++)
      if (left[i]! <= middle[leaf[i]!]!) upTo[leaf[i]!]! += weight[i]!
    for (let at = 0; at < LEAVES; at++)
      if (upTo[at]! < level * total[at]!) low[at] = middle[at]!
      else high[at] = middle[at]!
  }
  return Array.from(high, (value, at) =>
    rows[at] ? Number((RATE * value * (rows[at] / (rows[at] + LEAF_PRIOR))).toPrecision(5)) : 0,
  )
}
