// What must be ordered by now: by the last day of its location.
import { type LocalDays, readAllLocalDays, today } from './days.ts'

/** A condition as CAP has it. */
type Token = string | { ref: string[] } | { val: unknown } | { list: Token[] } | { xpr: Token[] }

const column = (name: string): Token => ({ ref: [name] })
const listOf = (values: Iterable<unknown>): Token => ({
  list: Array.from(values, (val) => ({ val })),
})

/**
 * A condition on rows with `orderBy`, `location` and their source. There are three days on earth at most: locations are
 * named only where theirs is not the earliest one.
 * @param source the element that holds the number of the source
 */
export async function isDueNow(source = 'source_ID'): Promise<{ xpr: Token[] }> {
  const bySource = await readAllLocalDays()
  const all = [...bySource.values()].flatMap(({ usual, others }) => [usual, ...others.values()])
  const [first = today(), ...later] = [...new Set(all)].sort()
  const until = (day: string): Token[] => [column('orderBy'), '<=', { val: day }]
  if (!later.length) return { xpr: until(first) }
  const of = later.flatMap((day): Token[] => [
    'or',
    { xpr: [...until(day), 'and', { xpr: locationsOn(day, bySource, source) }] },
  ])
  return { xpr: [...until(later.at(-1)!), 'and', { xpr: [...until(first), ...of] }] }
}

/** Where it is that day. */
function locationsOn(day: string, bySource: Map<number, LocalDays>, source: string): Token[] {
  const whole: number[] = []
  const parts: Token[][] = []
  for (const [ID, { usual, others }] of bySource) {
    const named = usual === day ? others : [...others].filter(([, own]) => own === day)
    const codes = [...named].map(([location]) => location)
    if (usual === day && !codes.length) whole.push(ID)
    else if (codes.length)
      parts.push([
        ...[column(source), '=', { val: ID }, 'and'],
        ...[column('location'), usual === day ? 'not in' : 'in', listOf(codes)],
      ])
  }
  if (whole.length) parts.push([column(source), 'in', listOf(whole)])
  return parts.flatMap((part, at) => [...(at ? ['or'] : []), { xpr: part }])
}
