const MAX_ENTRIES = 20_000

/** Caches the results of a pure function, for values that repeat in most rows. */
export function memoize<In, Out>(compute: (value: In) => Out): (value: In) => Out {
  const answers = new Map<In, Out>()
  return (value) => {
    let answer = answers.get(value)
    if (answer !== undefined) return answer
    answer = compute(value)
    if (answers.size >= MAX_ENTRIES) answers.clear()
    answers.set(value, answer)
    return answer
  }
}
