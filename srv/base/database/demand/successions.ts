// Successions: a SKU that replaces one that is phased out takes over its demand.
import { inheritancesOf, isNearEnd, toDate, toEpochDay } from '../../../../engine/index.ts'
import { Planning, readAs, Series, Skus, Successions } from '../entities.ts'
import { inChunks } from '../rows.ts'
import { removeEmptySeries, SeriesIndex } from './series.ts'

interface Succession {
  ID: number
  sku: string
  location: string
  successor: string
  phaseOutOn: string
}

interface Inheritance {
  predecessors: number[]
  takesOverOn: string
}

/**
 * Stores for each series of a source whose demand it takes over, and marks it for a forecast if that, or the demand, has
 * changed. A successor without demand gets a series.
 */
export async function updateSuccessions(source: number, asOf: string) {
  const wanted = await inheritances(source, asOf)
  const stored = await readStored(source)
  const changed = await changedSeries(wanted, stored)
  for (const ID of changed) {
    const { predecessors = null, takesOverOn = null } = wanted.get(ID) ?? {}
    await UPDATE.entity(Series).set({ predecessors, takesOverOn, dirty: true }).where({ ID })
  }
  await removeEmptySeries(changed.filter((ID) => !wanted.has(ID)))
}

async function inheritances(source: number, asOf: string): Promise<Map<number, Inheritance>> {
  let ending: Succession[] = []
  let heirs: number[] = []
  let index: SeriesIndex | undefined
  // A successor without demand may have a successor too, which is found once the first one has a series.
  for (let before = -1; ending.length > before;) {
    before = ending.length
    ending = await readEnding(source, asOf)
    if (!ending.length) break
    index ??= await SeriesIndex.load(source)
    heirs = await index.numbersOf(ending.map(({ successor: sku, location }) => ({ sku, location })))
  }
  const wanted = inheritancesOf(
    ending.map(({ ID, sku, phaseOutOn }, at) => ({
      ...{ series: ID, sku, heir: heirs[at]!, phaseOutOn: toEpochDay(phaseOutOn) },
    })),
  )
  return new Map(
    [...wanted].map(([heir, { predecessors, takesOverOn }]) => {
      return [heir, { predecessors, takesOverOn: toDate(takesOverOn) }]
    }),
  )
}

async function readEnding(source: number, asOf: string): Promise<Succession[]> {
  const found = await readAs<Succession>(
    SELECT.from(Successions).where`source_ID = ${source} and phaseOutOn is not null`,
  )
  const day = toEpochDay(asOf)
  const near = found.filter(({ phaseOutOn }) => isNearEnd(toEpochDay(phaseOutOn), day))
  const known = await readKnown(source, [...new Set(near.map(({ successor }) => successor))])
  return near.filter(({ successor }) => known.has(successor))
}

/** Those of these SKUs that the source names elsewhere: another one is a code that is misspelt. */
async function readKnown(source: number, skus: string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const chunk of inChunks(skus))
    for (const table of [Skus, Planning, Series]) {
      const rows = await readAs<{ sku: string }>(
        SELECT.distinct
          .from(table as typeof Skus)
          .columns('sku')
          .where({ source_ID: source, sku: { in: chunk } }),
      )
      for (const { sku } of rows) known.add(sku)
    }
  return known
}

async function readStored(source: number) {
  const rows = await readAs<{ ID: number } & Inheritance>(
    SELECT.from(Series).columns('ID', 'predecessors', 'takesOverOn')
      .where`source_ID = ${source} and takesOverOn is not null`,
  )
  return new Map(rows.map(({ ID, ...inheritance }) => [ID, inheritance]))
}

async function changedSeries(
  wanted: Map<number, Inheritance>,
  stored: Map<number, Inheritance>,
): Promise<number[]> {
  const changed = new Set([...stored.keys()].filter((ID) => !wanted.has(ID)))
  const sold = await withNewDemand([...wanted.values()].flatMap((each) => each.predecessors))
  for (const [ID, { predecessors, takesOverOn }] of wanted) {
    const before = stored.get(ID)
    const isSame =
      before?.takesOverOn === takesOverOn && String(before.predecessors) === String(predecessors)
    if (!isSame || predecessors.some((each) => sold.has(each))) changed.add(ID)
  }
  return [...changed]
}

async function withNewDemand(series: number[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const chunk of inChunks([...new Set(series)])) {
    const rows = await readAs<{ ID: number }>(
      SELECT.from(Series)
        .columns('ID')
        .where({ ID: { in: chunk }, dirty: true }),
    )
    for (const { ID } of rows) found.add(ID)
  }
  return found
}
