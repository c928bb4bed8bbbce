// If several sources have the same SKU at the same location, one of them leads: its data plan the pair, and the pairs of the
// others are led by it.
import { takeNumbers } from './counters.ts'
import { PairForecasts, readAs, Series, Sources, Syncs } from './entities.ts'
import { inChunks } from './rows.ts'

/** The precedence of a source for which none was set. */
export const DEFAULT_PRECEDENCE = 100

interface HeldPair {
  ID: number
  source_ID: number
  sku: string
  location: string
  ledBy: number | null
  /** The first day of its forecast; null without one. */
  asOf: string | null
}

/**
 * Settles which source leads each pair, after the records of a sync were read and before they are forecast. Pairs whose
 * leading source changes are marked for a forecast and a proposal. A source with a running sync keeps what it leads until
 * that sync has ended. The caller's transaction locks out other callers until its commit, and must also store its sync's new
 * phase.
 * @returns the other sources with pairs whose leading source has changed
 */
export async function settleLeads(source: number): Promise<number[]> {
  await takeNumbers('leads')
  const sources = await sourcesByLead()
  const place = new Map(sources.map((ID, at) => [ID, at]))
  const placeOf = ({ source_ID }: HeldPair) => place.get(source_ID) ?? Infinity
  const phases = await phasesOfOthers(source)
  const isOpenToChange = ({ source_ID }: HeldPair) => !phases.has(source_ID)
  // A pair that was led has no forecast, but gets one as soon as it leads.
  const mayLead = ({ source_ID, ledBy, asOf }: HeldPair) =>
    source_ID === source || (!phases.has(source_ID) && (ledBy !== null || asOf !== null))
  // It may have proposals, and its sync may fail before it settles anything.
  const leadsOn = ({ source_ID, ledBy, asOf }: HeldPair) =>
    ledBy === null &&
    phases.has(source_ID) &&
    (asOf !== null || SETTLED_PHASES.has(phases.get(source_ID)!))
  const changes = new Map<number | null, HeldPair[]>()
  const held = sources.length > 1 ? await contestedPairs() : []
  for (const pairs of groupByPair([...held, ...(await formerlyContestedPairs(held))])) {
    const [first] = pairs.filter(mayLead).sort((a, b) => placeOf(a) - placeOf(b))
    const leader = pairs.find(leadsOn) ?? first
    for (const pair of pairs.filter(isOpenToChange)) {
      const ledBy = leader && leader !== pair ? leader.source_ID : null
      if (ledBy === pair.ledBy) continue
      const same = changes.get(ledBy)
      if (same) same.push(pair)
      else changes.set(ledBy, [pair])
    }
  }
  for (const [ledBy, pairs] of changes) await store(ledBy, pairs)
  const changed = new Set([...changes.values()].flat().map(({ source_ID }) => source_ID))
  changed.delete(source)
  return [...changed]
}

/** The phases of a sync after it has settled which source leads. */
const SETTLED_PHASES = new Set(['forecasting', 'proposing'])

/** The phases of running syncs of other sources. */
async function phasesOfOthers(source: number): Promise<Map<number, string>> {
  const rows = await SELECT.from(Syncs).columns('activeFor', 'phase')
    .where`activeFor is not null and activeFor != ${source}`
  return new Map(rows.map(({ activeFor, phase }) => [activeFor!, phase ?? '']))
}

/** Sources in the order in which they lead: with a consent, by precedence, with a schedule, as connected. */
async function sourcesByLead(): Promise<number[]> {
  const rows = await SELECT.from(Sources).columns(
    'ID',
    'status',
    'precedence',
    'fullSchedule',
    'incrementalSchedule',
  )
  const keys = rows.map((row) => ({
    ID: row.ID,
    key: [
      row.status === 'connected' || row.status === 'failing' ? 0 : 1,
      row.precedence ?? DEFAULT_PRECEDENCE,
      row.fullSchedule === 'off' && row.incrementalSchedule === 'off' ? 1 : 0,
      row.ID,
    ],
  }))
  const compare = (a: number[], b: number[]) => a.map((n, at) => n - b[at]!).find(Boolean) ?? 0
  return keys.sort((a, b) => compare(a.key, b.key)).map(({ ID }) => ID)
}

const COLUMNS = ['ID', 'source_ID', 'sku', 'location', 'ledBy', 'asOf'] as const

/** Pairs that several sources hold. */
const contestedPairs = () =>
  readAs<HeldPair>(
    SELECT.from(PairForecasts)
      .alias('p')
      .columns(...COLUMNS)
      .where`exists (select 1 as one from restock.Series as o where o.sku = p.sku and o.location = p.location and o.source.ID != p.source_ID)`,
  )

/** Pairs that are still led, though no other source has them any more. */
async function formerlyContestedPairs(held: HeldPair[]): Promise<HeldPair[]> {
  const known = new Set(held.map(({ ID }) => ID))
  const ledPairs = await readAs<HeldPair>(
    SELECT.from(PairForecasts).columns(...COLUMNS).where`ledBy is not null`,
  )
  return ledPairs.filter(({ ID }) => !known.has(ID))
}

function groupByPair(held: HeldPair[]): Iterable<HeldPair[]> {
  return Map.groupBy(held, ({ sku, location }) => `${sku}\u0000${location}`).values()
}

async function store(ledBy: number | null, pairs: HeldPair[]) {
  const IDs = pairs.map(({ ID }) => ID).sort((a, b) => a - b)
  for (const chunk of inChunks(IDs)) {
    await UPDATE.entity(Series)
      .set({ ledBy, dirty: true, dueForProposal: true })
      .where({ ID: { in: chunk } })
  }
}
