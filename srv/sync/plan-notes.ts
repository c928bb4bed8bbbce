// Events of a source's plan that move no forecast.
import { readAs, PlannedEvents, Series, Skus, Sources } from '../store/entities.ts'
import { inChunks } from '../store/in-chunks.ts'
import type { EventSelector } from '../store/plans/mark-planned.ts'
import { type Issue, MAX_ISSUES } from './run.ts'

interface Event extends EventSelector {
  kind: string
  firstDay: string
  lastDay: string
  factor: number | null
}

const COLUMNS = ['kind', 'sku', 'location', 'skuGroup', 'firstDay', 'lastDay', 'factor'] as const
/** What they do is neither learnt nor clear. */
const NEEDING_FACTOR = ['price', 'event', 'holiday']

/** Of those that are not over: a note for each of the first that name nothing known, and for each kind without a factor. */
export async function planNotes(source: number): Promise<Issue[]> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  const day = row?.dataAsOf ?? '1970-01-01'
  const events = await readAs<Event>(
    SELECT.from(PlannedEvents)
      .columns(...COLUMNS)
      .where({ source_ID: source, origin: 'source', lastDay: { '>=': day } })
      .orderBy('firstDay', 'sku', 'location', 'skuGroup', 'kind'),
  )
  if (!events.length) return []
  const isKnown = await readNames(source, events)
  const unknown = events.filter((event) => !isKnown(event)).slice(0, MAX_ISSUES)
  return [
    ...unknown.map((event) => noteOf('plan_without_demand', event, withoutDemand(event))),
    ...NEEDING_FACTOR.flatMap((kind) => {
      const all = events.filter((event) => event.kind === kind && event.factor === null)
      const [first] = all
      if (!first) return []
      const message = `${all.length} of kind ${kind} have no factor, the first from ${first.firstDay} on.`
      return noteOf('plan_without_factor', first, message)
    }),
  ]
}

const noteOf = (code: string, { firstDay }: Event, message: string): Issue => ({
  ...{ code, stream: 'plannedEvents', key: firstDay, message },
})

/** Whether a series is among those that an event selects. */
async function readNames(source: number, events: Event[]) {
  const pairs = new Map<string, Set<string>>()
  const add = (sku: string, location: string) =>
    pairs.set(sku, (pairs.get(sku) ?? new Set<string>()).add(location))
  const skus = [...new Set(events.map(({ sku }) => sku).filter(Boolean))]
  const of = { source_ID: source }
  for (const chunk of inChunks(skus)) {
    const found = SELECT.from(Series).columns('sku', 'location')
    for (const row of await found.where({ ...of, sku: { in: chunk } })) add(row.sku!, row.location!)
  }
  const locations = await SELECT.distinct.from(Series).columns('location').where(of)
  const known = new Set(locations.map(({ location }) => location))
  const groups = events.some(({ skuGroup }) => skuGroup)
    ? await SELECT.distinct.from(Skus).columns('skuGroup').where(of)
    : []
  const knownGroups = new Set(groups.map(({ skuGroup }) => skuGroup))
  return ({ sku, location, skuGroup }: Event) => {
    if (skuGroup && !knownGroups.has(skuGroup)) return false
    const own = sku ? pairs.get(sku) : known
    return Boolean(own && (!location || own.has(location)))
  }
}

function withoutDemand({ kind, sku, location, skuGroup, firstDay, lastDay }: Event): string {
  const what = [
    sku && `SKU ${sku}`,
    skuGroup && `group ${skuGroup}`,
    location && `location ${location}`,
  ]
  const days = lastDay === firstDay ? firstDay : `${firstDay} to ${lastDay}`
  return `The ${kind} of ${days} moves no forecast: there is no demand of ${what.filter(Boolean).join(', ')}.`
}
