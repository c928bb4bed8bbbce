/** What each target leads to in a group, targets ascending. */
export interface GroupCurve {
  /** Mean stock in money. */
  stock: readonly number[]
  /** Demand in money that finds no stock. */
  short: readonly number[]
}

interface Step {
  group: number
  /** From the one before on the group's curve to this one. */
  to: number
  cost: number
  /** What a unit of money averts. */
  worth: number
}

/**
 * Which target each group takes, so that as little as possible is short within a budget of stock: from the lowest target of
 * all on, each time the step that averts most for its money. Along the steps of a lower convex hull that is the exact
 * optimum for what it spends (Everett, Operations Research 11, 1963); what is left may be too little for the next step.
 *
 * @returns a position in the curves for each group; null where the lowest targets cost more already
 */
export function spreadStock(groups: readonly GroupCurve[], budget: number): number[] | null {
  const chosen = groups.map(() => 0)
  let left = budget - groups.reduce((sum, { stock }) => sum + (stock[0] ?? 0), 0)
  if (left < 0) return null
  const steps = groups.flatMap(hullSteps).sort((a, b) => b.worth - a.worth || a.group - b.group)
  const ended = new Set<number>()
  for (const { group, to, cost } of steps) {
    if (ended.has(group)) continue
    if (cost > left) {
      ended.add(group)
      continue
    }
    left -= cost
    chosen[group] = to
  }
  return chosen
}

/** The steps of a curve's lower convex hull: each averts less for its money than the one before. */
function hullSteps({ stock, short }: GroupCurve, group: number): Step[] {
  const hull: number[] = []
  const worth = (from: number, to: number) =>
    (short[from]! - short[to]!) / Math.max(1e-9, stock[to]! - stock[from]!)
  for (let at = 0; at < stock.length; at++) {
    const isBetter = hull.length === 0 || short[at]! < short[hull.at(-1)!]!
    if (!isBetter) continue
    while (hull.length > 1 && worth(hull.at(-1)!, at) >= worth(hull.at(-2)!, hull.at(-1)!))
      hull.pop()
    hull.push(at)
  }
  return hull.slice(1).map((to, at) => {
    const from = hull[at]!
    return { group, to, cost: Math.max(0, stock[to]! - stock[from]!), worth: worth(from, to) }
  })
}
