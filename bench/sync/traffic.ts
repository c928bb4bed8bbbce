import type { Traffic } from '../../sandbox/traffic.ts'

export type BySet = Record<string, Traffic>

const sumOf = (traffic: BySet, field: keyof Traffic) =>
  Object.values(traffic).reduce((sum, each) => sum + each[field], 0)

/** Rows and requests of each entity set in each sync, and of all. */
export function printTraffic(syncs: Record<string, BySet>): void {
  const sets = [...new Set(Object.values(syncs).flatMap((traffic) => Object.keys(traffic)))].sort()
  const names = Object.keys(syncs)
  const columns = (of: (name: string) => Traffic) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const { rows, requests } = of(name)
        return [
          [`rows, ${name}`, rows],
          [`requests, ${name}`, requests],
        ]
      }),
    )
  const table: Record<string, Record<string, number>> = {}
  for (const set of sets) {
    table[set] = columns((name) => syncs[name]![set] ?? { rows: 0, requests: 0 })
  }
  table.all = columns((name) => ({
    rows: sumOf(syncs[name]!, 'rows'),
    requests: sumOf(syncs[name]!, 'requests'),
  }))
  console.table(table)
  const [first, ...others] = names
  for (const name of others) {
    const share = sumOf(syncs[name]!, 'rows') / sumOf(syncs[first!]!, 'rows')
    console.log(`rows, ${name} / ${first}: ${(share * 100).toFixed(1)} %`)
  }
}
