import { isDeepStrictEqual } from 'node:util'
import {
  byText,
  circlesOf,
  inheritancesOf,
  isNearEnd,
  isSameUnit,
  toDate,
  toEpochDay,
} from '../../../../engine/index.ts'
import { takeNumbers } from '../counters.ts'
import {
  BlockedPairs,
  CurrentOpenOrders,
  DemandRows,
  ErpForecastScores,
  Exceptions,
  ForecastOverrideCases,
  Forecasts,
  ForecastSamples,
  ForecastSeriesScores,
  OpenOrders,
  OpenReversals,
  Planning,
  readAs,
  Series,
  Skus,
  Stockouts,
  Successions,
} from '../entities.ts'
import { blocksOf } from '../native/index.ts'
import { inChunks } from '../rows.ts'

/** Stands for a number that is still to be assigned. */
const PENDING = 0

interface Pair {
  sku: string
  location: string
}

/** The numbers of a source's series, kept for the length of a read. */
export class SeriesIndex {
  readonly source: number
  /** The first number assigned here: series from it on are new and marked for a forecast. */
  #firstNew = Infinity
  readonly #locations = new Map<string, Map<string, number>>()
  /** Whether the source had none before, so that nothing can be left of an earlier read. */
  readonly areAllNew: boolean

  private constructor(source: number, areAllNew: boolean) {
    this.source = source
    this.areAllNew = areAllNew
  }

  static async load(source: number): Promise<SeriesIndex> {
    const rows = await readAs<{ ID: number } & Pair>(
      SELECT.from(Series).columns('ID', 'sku', 'location').where({ source_ID: source }),
    )
    const index = new SeriesIndex(source, !rows.length)
    for (const { ID, ...pair } of rows) index.#set(pair, ID)
    return index
  }

  get({ sku, location }: Pair): number | undefined {
    return this.#locations.get(location)?.get(sku)
  }

  isNew(series: number): boolean {
    return series >= this.#firstNew
  }

  #set({ sku, location }: Pair, ID: number) {
    let skus = this.#locations.get(location)
    if (!skus) this.#locations.set(location, (skus = new Map<string, number>()))
    skus.set(sku, ID)
  }

  /** The number of each pair; unknown pairs are assigned one, in the caller's transaction. */
  async numbersOf(pairs: readonly Pair[]): Promise<number[]> {
    const fresh: Pair[] = []
    const numbers = pairs.map((pair) => {
      const known = this.get(pair)
      if (known !== undefined) return known
      this.#set(pair, PENDING)
      fresh.push(pair)
      return PENDING
    })
    if (!fresh.length) return numbers
    await this.#add(fresh)
    return numbers.map((number, at) => (number === PENDING ? this.get(pairs[at]!)! : number))
  }

  async #add(fresh: Pair[]) {
    const first = await takeNumbers('series', fresh.length)
    this.#firstNew = Math.min(this.#firstNew, first)
    const entries = fresh.map(({ sku, location }, at) => ({
      ...{ ID: first + at, source_ID: this.source, sku, location, dirty: true },
    }))
    for (const { ID, ...pair } of entries) this.#set(pair, ID)
    await INSERT.into(Series).entries(entries)
  }
}

/** Asks for a new forecast of these series. */
export async function markForForecast(series: Iterable<number>) {
  for (const chunk of inChunks([...series])) {
    await UPDATE.entity(Series)
      .set({ dirty: true })
      .where({ ID: { in: chunk } })
  }
}

/** Removes those of some series that have no demand left, with their forecasts. */
export async function removeEmptySeries(series: number[]) {
  for (const chunk of inChunks(series)) {
    const left = await readAs<{ series: number }>(
      SELECT.distinct
        .from(DemandRows)
        .columns('series')
        .where({ block: { in: blocksOf(chunk) }, series: { in: chunk } }),
    )
    const kept = new Set(left.map((row) => row.series))
    await removeSeries(chunk.filter((each) => !kept.has(each)))
  }
}

/** Removes the series of one SKU. */
export async function removeSeriesNamed(source: number, sku: string) {
  const gone = await SELECT.from(Series).columns('ID').where({ source_ID: source, sku })
  if (gone.length) await removeSeries(gone.map(({ ID }) => ID))
}

/** Removes all series of a source, e.g. when its connection is deleted. */
export async function removeSeriesOf(source: number) {
  const gone = await SELECT.from(Series).columns('ID').where({ source_ID: source })
  await removeSeries(gone.map(({ ID }) => ID))
}

/** Removes the pairs of SKUs that the source no longer has. A SKU whose row was rejected still exists. */
export async function removeVanishedSkus(source: number) {
  const pairs = await readAs<{ ID: number }>(ofGoneSkus(Series, 'ID', source))
  await removeSeries(pairs.map(({ ID }) => ID))
  const ordered = await readAs<{ sku: string }>(ofGoneSkus(CurrentOpenOrders, 'sku', source))
  for (const chunk of inChunks(ordered.map(({ sku }) => sku)))
    await DELETE.from(OpenOrders).where({ source_ID: source, sku: { in: chunk } })
}

const ofGoneSkus = (
  entity: typeof Series | typeof CurrentOpenOrders,
  column: 'ID' | 'sku',
  source: number,
) =>
  SELECT.distinct.from(entity).alias('s').columns(column)
    .where`s.source_ID = ${source} and not exists (select 1 as one from restock.Skus as k where k.source.ID = s.source_ID and k.sku = s.sku) and not exists (select 1 as one from restock.QuarantinedRows as q where q.source.ID = s.source_ID and q.record = 'skus' and q.sku = s.sku)`

async function removeSeries(series: number[]) {
  for (const IDs of inChunks(series)) {
    const chunk = { in: IDs }
    await DELETE.from(DemandRows).where({ block: { in: blocksOf(IDs) }, series: chunk })
    const bySeries = [
      OpenReversals,
      Stockouts,
      Forecasts,
      ForecastOverrideCases,
      ErpForecastScores,
      ForecastSamples,
      ForecastSeriesScores,
      BlockedPairs,
      Exceptions,
    ]
    for (const entity of bySeries) {
      await DELETE.from(entity).where({ series: chunk })
    }
    await DELETE.from(Series).where({ ID: chunk })
  }
}

// Successions: a SKU that replaces one that is phased out takes over its demand.

interface Succession {
  ID: number
  sku: string
  location: string
  successor: string
  phaseOutOn: string
  unit: string | null
  successorUnit: string | null
}

interface Inheritance {
  predecessors: number[]
  /** Null where a former version has stored it. */
  endings: number[] | null
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
    const { predecessors = null, endings = null, takesOverOn = null } = wanted.get(ID) ?? {}
    await UPDATE.entity(Series)
      .set({ predecessors, endings, takesOverOn, dirty: true })
      .where({ ID })
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
    [...wanted].map(([heir, { takesOverOn, ...inheritance }]) => {
      return [heir, { ...inheritance, takesOverOn: toDate(takesOverOn) }]
    }),
  )
}

const readSuccessions = (source: number) =>
  readAs<Succession>(
    SELECT.from(Successions).where`source_ID = ${source} and phaseOutOn is not null`,
  )

const hasSameUnit = ({ unit, successorUnit }: Succession) => isSameUnit(unit, successorUnit)

/** Successors in another unit than what they follow: its demand says nothing of theirs. */
export async function readOtherUnits(source: number): Promise<Succession[]> {
  return (await readSuccessions(source)).filter((succession) => !hasSameUnit(succession))
}

/** SKUs that follow one another in a circle, and the last day on which one of them ends. A circle of several locations is told once. */
export async function readCircles(source: number) {
  const rows = await readSuccessions(source)
  const circles = [...Map.groupBy(rows, ({ location }) => location).values()].flatMap(
    (those): [key: string, { skus: string[]; endsOn: string }][] => {
      const bySku = new Map(those.map((each) => [each.sku, each]))
      return circlesOf(new Map(those.map(({ sku, successor }) => [sku, successor]))).map((skus) => {
        const [endsOn = ''] = skus
          .map((sku) => bySku.get(sku)!.phaseOutOn)
          .sort(byText)
          .reverse()
        return [skus.join('\n'), { skus, endsOn }]
      })
    },
  )
  return [...new Map(circles).values()]
}

async function readEnding(source: number, asOf: string): Promise<Succession[]> {
  const found = (await readSuccessions(source)).filter(hasSameUnit)
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
    SELECT.from(Series).columns('ID', 'predecessors', 'endings', 'takesOverOn')
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
  for (const [ID, now] of wanted) {
    const isSame = isDeepStrictEqual(stored.get(ID), now)
    if (!isSame || now.predecessors.some((each) => sold.has(each))) changed.add(ID)
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
