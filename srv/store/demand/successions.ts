// Which series take over the demand of others: a SKU that follows one that is phased out.
import { byText } from '../../../engine/index.ts'
import { daysBetween } from '../../../engine/proposal/index.ts'
import { Series, Successions, readAs } from '../entities.ts'
import { inChunks } from '../in-chunks.ts'
import { removeEmptySeries } from './series.ts'
import { SeriesIndex } from './series-index.ts'

/** Days before a predecessor's end from which on its successor has a forecast: none looks further. */
const AHEAD = 90

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
 * Notes for each series of a source whose demand counts as its own, and asks for a forecast where that has changed, or
 * the demand. A successor that nobody has asked for yet gets a series.
 */
export async function updateSuccessions(source: number, asOf: string) {
  const found = await readAs<Succession>(
    SELECT.from(Successions).where`source_ID = ${source} and phaseOutOn is not null`,
  )
  const near = found.filter(({ phaseOutOn }) => daysBetween(asOf, phaseOutOn) <= AHEAD)
  const wanted = near.length ? await inheritances(source, near) : new Map<number, Inheritance>()
  const stored = await readStored(source)
  const changed = await changedSeries(wanted, stored)
  for (const ID of changed) {
    const { predecessors = null, takesOverOn = null } = wanted.get(ID) ?? {}
    await UPDATE.entity(Series).set({ predecessors, takesOverOn, dirty: true }).where({ ID })
  }
  await removeEmptySeries(changed.filter((ID) => !wanted.has(ID)))
}

async function inheritances(source: number, found: readonly Succession[]) {
  const index = await SeriesIndex.load(source)
  const pairs = found.map(({ successor: sku, location }) => ({ sku, location }))
  const heirs = await index.numbersOf(pairs)
  const byHeir = Map.groupBy(found, (_, at) => heirs[at]!)
  const wanted = new Map<number, Inheritance>()
  for (const [heir, direct] of byHeir) {
    const [takesOverOn] = direct.map(({ phaseOutOn }) => phaseOutOn).sort()
    wanted.set(heir, { predecessors: ancestorsOf(heir, byHeir), takesOverOn: takesOverOn! })
  }
  return wanted
}

/** By SKU; each once, though master data may go round in a circle. */
function ancestorsOf(heir: number, byHeir: Map<number, Succession[]>): number[] {
  const known = new Map([[heir, '']])
  for (const series of known.keys())
    for (const { ID, sku } of byHeir.get(series) ?? []) if (!known.has(ID)) known.set(ID, sku)
  known.delete(heir)
  return [...known].sort(([, a], [, b]) => byText(a, b)).map(([ID]) => ID)
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
