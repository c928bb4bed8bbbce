// Rejected rows that no proposal needs become notes of the sync, which is complete without them.
import type { Adapter, Connection } from '../../../adapters/adapter.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import { describeBookings, type LocationContext } from '../../../engine/index.ts'
import { assertCountry, UnknownCountry } from '../../../holidays/public-holidays.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import {
  BlockedPairs,
  Closures,
  Learnt,
  Locations,
  PlannedEvents,
  Planning,
  QuarantinedRows,
  readAs,
  Series,
  Skus,
  Sources,
  Stock,
  Suppliers,
  SupplierTerms,
} from '../../base/database/entities.ts'
import { readCircles, readOtherUnits } from '../../base/database/demand/series.ts'
import { publishEvents } from '../../base/database/events.ts'
import type { EventSelector } from '../../base/database/records/mark-planned.ts'
import { inChunks } from '../../base/database/rows.ts'
import { DAY_MS } from '../../base/time/days.ts'
import { GONE } from './rejected-rows.ts'
import { type Issue, MAX_ISSUES, type Run } from './run.ts'

/** Streams whose rows may turn out to concern no proposal. In other streams every row matters. */
const OF_PAIRS: RecordKind[] = [
  'planning',
  'stock',
  'batches',
  'openOrders',
  'customerOrders',
  'reservations',
  'drafts',
  'receipts',
]

type Note = 'not_in_catalogue' | 'not_planned'

interface NoteRow {
  ID: string
  sync: number
  record: RecordKind
  place: string
  code: string
  sku: string
  location: string
  note: Note | null
}

/**
 * Separates the rejected rows that concern proposals from those that do not, after the proposals were made.
 * @param isComplete whether the catalogue was read whole, so that an unknown SKU no longer exists
 */
export async function sortOutNotes(run: Run, isComplete: boolean) {
  const rows = await readAs<NoteRow>(
    SELECT.from(QuarantinedRows)
      .columns('ID', 'sync', 'record', 'place', 'code', 'sku', 'location', 'note')
      .where({ source_ID: run.source, record: { in: OF_PAIRS }, sku: { '>': '' } }),
  )
  if (!rows.length) return
  const noteOf = await readReasons(run.source, rows, isComplete)
  const changed = rows.filter((row) => row.note !== noteOf(row))
  for (const [note, those] of Map.groupBy(changed, noteOf)) {
    for (const chunk of inChunks(those)) {
      const IDs = { in: chunk.map(({ ID }) => ID) }
      await UPDATE.entity(QuarantinedRows).set({ note }).where({ ID: IDs })
    }
  }
  const noted = rows.filter(noteOf)
  run.discount(noted.filter(({ sync }) => sync === run.ID))
  run.notes.push(...(await readNotes(run.source)))
  if (noted.length) await refill(run)
}

/** What is known about the SKUs and pairs of the rows. */
interface Known {
  /** SKUs of the catalogue, and whether they are bought. */
  catalogue: Map<string, boolean>
  /** Pairs that the ERP plans, and whether they are bought. */
  planned: Map<string, boolean>
  /** Pairs that can be forecast and proposed. */
  forecast: Set<string>
}

async function readReasons(source: number, rows: NoteRow[], isComplete: boolean) {
  const { catalogue, planned, forecast } = await readKnown(source, rows)
  const hasPlanning = await SELECT.one.from(Planning).columns('sku').where({ source_ID: source })
  return ({ record, code, sku, location }: NoteRow): Note | null => {
    if (isComplete && !catalogue.has(sku)) return 'not_in_catalogue'
    if (catalogue.get(sku) === false) return code === GONE ? 'not_in_catalogue' : 'not_planned'
    if (record === 'planning' || !hasPlanning) return null
    const pair = pairOf({ sku, location })
    const isBought = planned.get(pair) ?? (!location || forecast.has(pair))
    return isBought ? null : 'not_planned'
  }
}

async function readKnown(source: number, rows: NoteRow[]): Promise<Known> {
  const skus = [...new Set(rows.map(({ sku }) => sku))]
  const known: Known = { catalogue: new Map(), planned: new Map(), forecast: new Set() }
  for (const chunk of inChunks(skus)) {
    const those = { source_ID: source, sku: { in: chunk } }
    const inCatalogue = SELECT.from(Skus).columns('sku', 'purchasable').where(those)
    const inPlanning = SELECT.from(Planning).columns('sku', 'location', 'purchasable').where(those)
    const series = SELECT.from(Series).columns('sku', 'location').where(those)
    const without = { ...those, missing: 'lead_time' }
    const blocked = SELECT.from(BlockedPairs).columns('sku', 'location').where(without)
    for (const row of await inCatalogue) known.catalogue.set(row.sku, row.purchasable !== false)
    for (const row of await inPlanning) known.planned.set(pairOf(row), row.purchasable !== false)
    for (const row of await series) known.forecast.add(pairOf(row))
    for (const row of await blocked) known.forecast.delete(pairOf(row))
  }
  // What the ERP plans is planned, though how could not be read.
  for (const row of rows)
    if (row.record === 'planning' && !known.planned.has(pairOf(row)))
      known.planned.set(pairOf(row), true)
  return known
}

const pairOf = ({ sku, location }: { sku?: string | null; location?: string | null }) =>
  JSON.stringify([sku, location])

/** The first notes of the source. */
async function readNotes(source: number): Promise<Issue[]> {
  const rows = await readAs<{ record: string; place: string; note: string; message: string }>(
    SELECT.from(QuarantinedRows)
      .columns('record', 'place', 'note', 'message')
      .where({ source_ID: source, note: { '!=': null } })
      .orderBy('record', 'place')
      .limit(MAX_ISSUES),
  )
  return rows.map(({ record, place, note, message }) => ({
    code: note,
    stream: record,
    key: place,
    message,
  }))
}

/** Lists the rejected rows of this sync that concern proposals, as many as fit. */
async function refill(run: Run) {
  const rows = await readAs<{ record: string; place: string; code: string; message: string }>(
    SELECT.from(QuarantinedRows)
      .columns('record', 'place', 'code', 'message')
      .where({ source_ID: run.source, sync: run.ID, note: null })
      .orderBy('record', 'place')
      .limit(MAX_ISSUES),
  )
  run.listRows(rows.map(({ record, place, ...row }) => ({ ...row, stream: record, key: place })))
}

// Notes about demand that is booked by week or month instead of when it is sold.

async function bookingNotes(source: number): Promise<Issue[]> {
  const row = await SELECT.one.from(Learnt).columns('contexts').where({ source_ID: source })
  const contexts = JSON.parse(row?.contexts ?? '[]') as [string, LocationContext][]
  return describeBookings(contexts).map(({ every, text }) => ({
    code: `demand_booked_${every}ly`,
    stream: 'demand',
    key: null,
    message: text,
  }))
}

// A consent that its ERP ends soon is noted in each sync, and published once.

/** Early enough for somebody who is not there every day. */
const AHEAD_MS = 2 * DAY_MS
const CODE = 'consent_ends_soon'

/** Must be called in a transaction. */
export async function consentNotes(
  ID: number,
  adapter: Adapter,
  connection: Connection,
): Promise<Issue[]> {
  const row = await SELECT.one.from(Sources).columns('consentEndsAt').where({ ID })
  const plan = adapter.auth(connection)
  const days = plan.kind === 'authorization_code' ? plan.consentDays : undefined
  if (!row?.consentEndsAt || days === undefined) return []
  const end = new Date(String(row.consentEndsAt))
  if (end.getTime() - Date.now() > Math.min(AHEAD_MS, (days * DAY_MS) / 3)) return []
  await announceConsentEnd(ID, end.toISOString())
  const message = `The ERP ends the consent at ${end.toISOString().slice(0, 16)}Z, whatever is read.`
  return [{ code: CODE, stream: 'source', key: null, message }]
}

async function announceConsentEnd(ID: number, end: string): Promise<void> {
  const changed: unknown = await UPDATE.entity(Sources)
    .set({ consentToldAt: new Date().toISOString() })
    .where({ ID, consentToldAt: null })
  if (!changed) return
  await writeAuditLog('source.reconsent_required', `src_${ID}`, CODE)
  const data = { id: `src_${ID}`, reason: CODE, ends_at: end }
  await publishEvents([{ type: 'source.reconsent_required', data }])
}

// Locations in a country or region without a known calendar of public holidays, and closures that name one.

interface Told {
  stream: 'locations' | 'closures'
  key: string
  about: string
  country: string
  region: string | null
}

async function holidayNotes(source: number): Promise<Issue[]> {
  const faults = new Map<string, string | null>()
  const notes: Issue[] = []
  for (const { stream, key, about, country, region } of await readCountries(source)) {
    const place = JSON.stringify([country, region])
    if (!faults.has(place)) faults.set(place, await faultOf(country, region))
    const fault = faults.get(place)
    if (!fault || notes.length >= MAX_ISSUES) continue
    notes.push({ code: 'unknown_country', stream, key, message: `${about}: the ${fault}.` })
  }
  return notes
}

async function readCountries(source: number): Promise<Told[]> {
  const locations = await readAs<Pick<Told, 'country' | 'region'> & { location: string }>(
    SELECT.from(Locations)
      .columns('location', 'country', 'region')
      .where({ source_ID: source, country: { '!=': null } })
      .orderBy('location'),
  )
  const closures = await readAs<ClosedRow>(
    SELECT.distinct
      .from(Closures)
      .columns('supplier', 'location', 'country', 'region')
      .where({ source_ID: source, country: { '!=': '' } })
      .orderBy('supplier', 'location'),
  )
  return [
    ...locations.map(({ location: key, ...place }): Told => {
      return { ...place, stream: 'locations', key, about: `Location ${key}` }
    }),
    ...closures.map(({ supplier, location, country, region }): Told => {
      const whose = supplier ? `supplier ${supplier}` : `location ${location}`
      const about = `Closures of ${whose} in ${country}`
      return {
        stream: 'closures',
        key: supplier || location,
        about,
        country,
        region: region || null,
      }
    }),
  ]
}

interface ClosedRow {
  supplier: string
  location: string
  country: string
  region: string | null
}

const faultOf = (country: string, region: string | null): Promise<string | null> =>
  assertCountry({ country, region }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof UnknownCountry) return `${error.field} ${error.message}`
      throw error
    },
  )

// Closures of suppliers and locations that no other list knows: they are misspelt, and close nothing.

async function closureNotes(source: number): Promise<Issue[]> {
  const rows = await readAs<Pick<ClosedRow, 'supplier' | 'location'>>(
    SELECT.distinct
      .from(Closures)
      .columns('supplier', 'location')
      .where({ source_ID: source })
      .orderBy('supplier', 'location'),
  )
  const strangers = [
    ...(await unknownOf('supplier', source, rows, [Suppliers, Planning, Skus, SupplierTerms])),
    ...(await unknownOf('location', source, rows, [Locations, Planning, Stock, Series])),
  ]
  return strangers.slice(0, MAX_ISSUES).map(({ what, code: key }) => ({
    ...{ code: 'closure_of_unknown', stream: 'closures', key },
    message: `No other list names the ${what} ${key}: its closures close nothing.`,
  }))
}

/** Suppliers or locations that have closures, and that none of these lists of the source names. */
async function unknownOf(
  what: 'supplier' | 'location',
  source: number,
  rows: Pick<ClosedRow, 'supplier' | 'location'>[],
  lists: unknown[],
) {
  const unknown = new Set(rows.map((row) => row[what]).filter(Boolean))
  for (const list of lists) {
    for (const chunk of inChunks([...unknown])) {
      const of = { source_ID: source, [what]: { in: chunk } }
      const found = await readAs<{ code: string }>(
        SELECT.distinct
          .from(list as typeof Planning)
          .columns(`${what} as code`)
          .where(of),
      )
      for (const { code } of found) unknown.delete(code)
    }
  }
  return [...unknown].map((code) => ({ what, code }))
}

// SKUs that follow others and cannot take over their demand.

async function successorNotes(source: number): Promise<Issue[]> {
  const bySku = new Map((await readOtherUnits(source)).map((each) => [each.sku, each]))
  return [...bySku.values()]
    .slice(0, MAX_ISSUES)
    .map(({ sku, successor, unit, successorUnit }) => ({
      ...{ code: 'successor_unit', stream: 'skus', key: successor },
      message: `${successor} is in ${successorUnit} and follows ${sku}, which is in ${unit}.`,
    }))
}

async function circleNotes(source: number): Promise<Issue[]> {
  return (await readCircles(source)).slice(0, MAX_ISSUES).map(({ skus, endsOn }) => ({
    ...{ code: 'successor_circle', stream: 'skus', key: skus[0]! },
    message: `${skus.join(', ')} follow one another in a circle: from ${endsOn} on none of them is asked for.`,
  }))
}

// A source that has told of no demand.

async function demandNotes(source: number): Promise<Issue[]> {
  if (await SELECT.one.from(Series).columns('ID').where({ source_ID: source })) return []
  const message = 'There is no demand: nothing can be forecast or proposed.'
  return [{ code: 'no_demand', stream: 'demand', key: null, message }]
}

// Planned events of a source that change no forecast.

interface Event extends EventSelector {
  kind: string
  firstDay: string
  lastDay: string
  factor: number | null
}

const COLUMNS = ['kind', 'sku', 'location', 'skuGroup', 'firstDay', 'lastDay', 'factor'] as const
/** The effect of these kinds must be entered as a factor: it is not learnt. */
const NEEDING_FACTOR = ['price', 'event', 'holiday']

/** A note for each of the first events that name nothing known, and for each kind of event without a factor. */
async function planNotes(source: number): Promise<Issue[]> {
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
  code,
  stream: 'plannedEvents',
  key: firstDay,
  message,
})

/** A function that tells whether an event selects any series. */
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

/** What each sync notes of its source, in this order. */
export const NOTES = [
  demandNotes,
  bookingNotes,
  planNotes,
  holidayNotes,
  closureNotes,
  successorNotes,
  circleNotes,
]
