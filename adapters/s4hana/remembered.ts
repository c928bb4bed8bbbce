const MOST = 20_000

/** A pure function that keeps its answers, for values that are few and come again in every row. */
export function remembered<In, Out>(of: (value: In) => Out): (value: In) => Out {
  const known = new Map<In, Out>()
  return (value) => {
    let answer = known.get(value)
    if (answer !== undefined) return answer
    answer = of(value)
    if (known.size >= MOST) known.clear()
    known.set(value, answer)
    return answer
  }
}
