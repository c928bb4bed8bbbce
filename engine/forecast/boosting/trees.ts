import { BIN_COUNT } from './bins.ts'
import { weightedQuantile } from './leaf-quantile.ts'
import { Nodes, toExactSums } from './nodes.ts'

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

/** The value that the trees give a row of bins. Without a branch: which way a question goes cannot be foretold. */
export function treesValue({ features, cuts, leaves }: Trees, bins: Uint8Array): number {
  let value = 0
  for (let at = 0, tree = 0; at < features.length; at += DEPTH, tree += LEAVES) {
    let leaf = tree
    for (let d = 0; d < DEPTH; d++) leaf += ((cuts[at + d]! - bins[features[at + d]!]!) >>> 31) << d
    value += leaves[leaf]!
  }
  return value
}

/**
 * Boosts the quantile at `level` (Friedman 2001, with the pinball loss): each tree is grown on the
 * loss's gradient, and its leaves are weighted quantiles of what the trees before it left over.
 * The same lesson gives the same trees to the bit.
 * @param count of trees; fewer learn the more quickly
 */
export function growTrees(
  { columns, residual, weight }: TrainingSet,
  level: number,
  count = TREES,
): Trees {
  const exact = toExactSums(weight)
  const left = residual.slice()
  const asked = worthAsking(columns)
  const nodes = new Nodes(
    asked.map((feature) => columns[feature]!),
    exact,
    DEPTH,
  )
  const trees: Trees = { features: [], cuts: [], leaves: [] }
  const rate = (RATE * TREES) / count
  const meanWeight = weight.reduce((sum, one) => sum + one, 0) / weight.length
  for (let tree = 0; tree < count; tree++) {
    nodes.restart(left)
    for (let d = 0; d < DEPTH; d++) {
      const best = bestSplit(nodes, 1 << d, level, SPLIT_PRIOR * meanWeight)
      const [feature, cut] = [asked[best.feature]!, best.cut]
      nodes.split(columns[feature]!, cut, 1 << d, d === DEPTH - 1)
      trees.features.push(feature)
      trees.cuts.push(cut)
    }
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const rows = nodes.rows.subarray(nodes.starts[leaf], nodes.ends[leaf])
      const value = leafValue(left, exact, rows, level, rate)
      for (let at = 0; at < rows.length; at++) left[rows[at]!]! -= value
      trees.leaves.push(value)
    }
  }
  return trees
}

/** Features that tell rows apart, and the first one, which stands for no question at all. */
const worthAsking = (columns: readonly Uint8Array[]): number[] =>
  columns.flatMap((column, feature) =>
    feature === 0 || column.some((bin) => bin !== column[0]) ? [feature] : [],
  )

/** Of each node the sums of all its bins, and of the bins up to a cut. */
const totals = new Float64Array(LEAVES)
const totalGradients = new Float64Array(LEAVES)
const weights = new Float64Array(LEAVES)
const lows = new Float64Array(LEAVES)

/** The question whose two answers, in all nodes of the level, tell the gradients best apart. */
function bestSplit(
  nodes: Nodes,
  count: number,
  level: number,
  prior: number,
): { feature: number; cut: number } {
  const { sums } = nodes
  for (let node = 0; node < count; node++) {
    let [weight, low] = [0, 0]
    const first = nodes.firstBin(node, 0)
    for (let at = first; at < first + 2 * BIN_COUNT; at += 2) {
      weight += sums[at]!
      low += sums[at + 1]!
    }
    totals[node] = weight
    totalGradients[node] = low + (level - 1) * weight
  }
  let best = { feature: 0, cut: 0 }
  let most = -Infinity
  for (let feature = 0; feature < nodes.featureCount; feature++) {
    weights.fill(0)
    lows.fill(0)
    for (let cut = 0; cut < BIN_COUNT - 1; cut++) {
      let gain = 0
      for (let node = 0; node < count; node++) {
        const at = nodes.firstBin(node, feature) + 2 * cut
        const weight = (weights[node]! += sums[at]!)
        const low = (lows[node]! += sums[at + 1]!)
        const below = low + (level - 1) * weight
        const above = totalGradients[node]! - below
        gain += (below * below) / (weight + prior)
        gain += (above * above) / (totals[node]! - weight + prior)
      }
      if (gain <= most * (1 + 1e-12)) continue
      most = gain
      best = { feature, cut }
    }
  }
  return best
}

/** A leaf's quantile of what is left, drawn to nothing where its rows are few. */
function leafValue(
  left: Float64Array,
  weight: Float64Array,
  rows: Uint32Array,
  level: number,
  rate: number,
): number {
  const { length } = rows
  if (!length) return 0
  const value = weightedQuantile(left, weight, rows, level)
  return Number((rate * value * (length / (length + LEAF_PRIOR))).toPrecision(5))
}
