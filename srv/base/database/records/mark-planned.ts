import { PlannedEvents, Series, Skus, Sources } from '../entities.ts'
import { inChunks } from '../rows.ts'

/** What an event concerns; an empty selector selects all. */
export interface EventSelector {
  sku: string
  location: string
  skuGroup: string
}

/** A condition that all series meet, because PostgreSQL's adapter fails at an update without one. */
const ALL = { ID: { '>=': 0 } }

/**
 * Asks for new forecasts of the series that some events concern.
 * @param source null for all sources
 * @returns how many series each kind of selector concerns, added up
 */
export async function markPlanned(source: number | null, events: readonly EventSelector[]) {
  const of = source === null ? {} : { source_ID: source }
  let count = 0
  for (const those of Map.groupBy(events, wideKey).values()) {
    const { location, skuGroup } = those[0]!
    const where = { ...ALL, ...of, ...(location && { location }) }
    const skus = await skusOf(of, skuGroup, those)
    if (!skus) count += await UPDATE.entity(Series).set({ dirty: true }).where(where)
    for (const chunk of inChunks(skus ?? []))
      count += await UPDATE.entity(Series)
        .set({ dirty: true })
        .where({ ...where, sku: { in: chunk } })
  }
  return count
}

/**
 * Has each source with demand at a location learn, forecast and propose everything again in its next sync.
 * @param location empty for all
 * @returns how many series it has
 */
export async function markLearning(location: string) {
  const where = location ? { location } : ALL
  const rows = await SELECT.distinct.from(Series).columns('source_ID').where(where)
  const sources = rows.map(({ source_ID }) => Number(source_ID))
  if (sources.length)
    await UPDATE.entity(Sources)
      .set({ calculateAll: true, proposedOn: null })
      .where({ ID: { in: sources } })
  return Number(await UPDATE.entity(Series).set({ dirty: true }).where(where))
}

/** Marks all series that the source leads for a new forecast. */
export const markAll = (source: number) =>
  UPDATE.entity(Series).set({ dirty: true }).where({ source_ID: source, ledBy: null, dirty: false })

const wideKey = ({ sku, location, skuGroup }: EventSelector) =>
  JSON.stringify([sku === '', location, sku ? '' : skuGroup])

/** Null for all. */
async function skusOf(of: object, skuGroup: string, events: readonly EventSelector[]) {
  if (events[0]!.sku) return [...new Set(events.map(({ sku }) => sku))]
  if (!skuGroup) return null
  const rows = await SELECT.from(Skus)
    .columns('sku')
    .where({ ...of, skuGroup })
  return rows.map(({ sku }) => sku)
}

/** Asks for new forecasts of SKUs whose group has changed, where something is planned for groups. */
export async function markRegrouped(source: number, skus: readonly string[]) {
  const ofGroup = SELECT.one.from(PlannedEvents).columns('ID')
  if (!skus.length || !(await ofGroup.where({ skuGroup: { '!=': '' } }))) return
  for (const chunk of inChunks(skus))
    await UPDATE.entity(Series)
      .set({ dirty: true })
      .where({ source_ID: source, sku: { in: chunk } })
}
