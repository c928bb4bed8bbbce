// One ERP with two locations and two groups of SKUs, and people who are bound to one of them. Whatever such a person
// must not see has a name that stands out, so that it can be looked for in every answer of every door.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { numberEvents } from '../../../srv/base/database/events.ts'
import {
  BlockedPairs,
  Delegations,
  Exceptions,
  Proposals,
  Skus,
} from '../../../srv/base/database/entities.ts'
import { permitsRow, type RowRestriction } from '../../../srv/domain/authority/index.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync } from '../../support/server.ts'
import { caughtUp } from '../tasks/inbox.ts'

const { INSERT, SELECT } = cds.ql

interface Pair {
  sku: string
  location: string
  group: string
  supplier: string
}

const pairsOf = (prefix: string, rest: Omit<Pair, 'sku'>): Pair[] =>
  Array.from({ length: 4 }, (_, at) => ({ sku: `${prefix}-${at}`, ...rest }))

/** Both locations have `both-0`, and both groups the location HERE. */
const PAIRS: Pair[] = [
  ...pairsOf('open', { location: 'HERE', group: 'OURS', supplier: 'S-1' }),
  ...pairsOf('FAR', { location: 'FARAWAY', group: 'OURS', supplier: 'FAR-S' }),
  ...pairsOf('ALIEN', { location: 'HERE', group: 'ALIENS', supplier: 'ALIEN-S' }),
  { sku: 'both-0', location: 'HERE', group: 'OURS', supplier: 'S-1' },
  { sku: 'both-0', location: 'FARAWAY', group: 'OURS', supplier: 'S-1' },
]

/** Somebody whom the tests sign in. */
export interface Bound {
  id: string
  /** What this person sees, alone or as a deputy. */
  rows: RowRestriction
  /** What must be in no answer. */
  unseen: RegExp
}

const HERE = { locations: ['HERE'], groups: null }
const OURS = { locations: null, groups: ['OURS'] }

/** The deputy has no rows but those of the person who is absent. */
export const BOUND: Bound[] = [
  { id: 'local', rows: HERE, unseen: /FAR-|FARAWAY/i },
  { id: 'grouped', rows: OURS, unseen: /ALIEN/i },
  { id: 'deputy', rows: HERE, unseen: /FAR-|FARAWAY/i },
]

type User = { roles: string[]; attr?: object }
export const mocked = () =>
  (cds.env.requires.auth as unknown as { users: Record<string, User> }).users

/** Signs in with the name as password. */
export function addUser(id: string, roles: string[], attr: object = {}) {
  mocked()[id] = new cds.User({ ...{ id, password: id, roles }, attr } as never) as never
}

export interface TwoLocations {
  source: number
  /** Numbers of proposals that a person sees, and of others. */
  seen(rows: RowRestriction): number[]
  unseen(rows: RowRestriction): number[]
}

/** Where a text tells what it must not. */
export const leaksIn = (text: string, { unseen }: Bound) =>
  [...text.matchAll(new RegExp(`.{0,60}(${unseen.source}).{0,20}`, 'gi'))]
    .slice(0, 3)
    .map(([excerpt]) => excerpt)

const EARLY = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() }

/** Also decided proposals, exceptions and blocked pairs of each kind. */
export async function openTwoLocations(): Promise<TwoLocations> {
  for (const { id, rows } of BOUND) {
    addUser(id, ['Viewer', 'Buyer'], id === 'deputy' ? { locations: [] } : rows)
  }
  const source = await connectFiles('two', filesOf(PAIRS))
  expect((await sync(source)).status).toBe('succeeded')
  await addNamesake()
  await delegate('local', 'deputy')
  await addOthers(source)
  await decideSome()
  await setRules()
  await runDetached('events', numberEvents)
  await runDetached('tasks', () => caughtUp())
  const rows = await SELECT.from(Proposals).columns('ID', 'sku', 'location').orderBy('ID')
  const isSeen =
    (bound: RowRestriction) => (row: { sku: string | null; location: string | null }) => {
      const { sku, location } = row as Pair
      return permitsRow(bound, { location, skuGroup: sku.startsWith('ALIEN') ? 'ALIENS' : 'OURS' })
    }
  return {
    source,
    seen: (bound) => rows.filter(isSeen(bound)).map(({ ID }) => ID),
    unseen: (bound) => rows.filter((row) => !isSeen(bound)(row)).map(({ ID }) => ID),
  }
}

function filesOf(pairs: Pair[]) {
  const lines = (head: string, row: (pair: Pair) => string) =>
    `${[head, ...new Set(pairs.map(row))].join('\n')}\n`
  const demand = ['HERE', 'FARAWAY'].map((location) => {
    const skus = pairs.filter((pair) => pair.location === location).map(({ sku }) => sku)
    return steadyDemand(skus, { location })
  })
  return {
    'demand.csv': demand[0]! + demand[1]!.slice(demand[1]!.indexOf('\n') + 1),
    'stock.csv': lines('sku,location,on_hand', ({ sku, location }) => `${sku},${location},30`),
    'items.csv': lines('sku,name,group', ({ sku, group }) => `${sku},Name of ${sku},${group}`),
    'locations.csv': lines('location,name', ({ location }) => `${location},Store ${location}`),
    'planning.csv': lines(
      'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency',
      ({ sku, location, supplier }) => `${sku},${location},7,20,10,${supplier},3.00,EUR`,
    ),
  }
}

/** Another ERP knows a code of the other group as one of ours. */
async function addNamesake() {
  const source = await connectFiles('namesake', {
    'demand.csv': `sku,location,date,quantity\nopen-9,HERE,${daysAgo(1)},1\n`,
  })
  await INSERT.into(Skus).entries({ source_ID: source, sku: 'ALIEN-0', skuGroup: 'OURS' })
}

/** From a minute ago on, for an hour. */
export const delegate = (fromUser: string, toUser: string) =>
  INSERT.into(Delegations).entries({
    ...{ ID: randomUUID(), fromUser, toUser, createdBy: 'admin' },
    createdAt: new Date().toISOString(),
    validFrom: new Date(Date.now() - 60_000).toISOString(),
    validTo: new Date(Date.now() + 3_600_000).toISOString(),
  })

/** Blocked pairs and exceptions, as a run would find them. */
async function addOthers(source_ID: number) {
  const rows = ['open-0 HERE', 'FAR-0 FARAWAY', 'ALIEN-0 HERE'].map((pair, at) => {
    const [sku, location] = pair.split(' ') as [string, string]
    return { source_ID, sku, location, series: 900_001 + at }
  })
  await INSERT.into(BlockedPairs).entries(
    rows.map((row) => ({ ...row, missing: 'cost' as const, reason: `No cost of ${row.sku}.` })),
  )
  await INSERT.into(Exceptions).entries(
    rows.map((row, at) => ({
      ...{ ...row, ID: 900_001 + at, kind: 'dead_stock' as const, document: '', quantity: 5 },
      ...{ message: `Nobody wants ${row.sku} at ${row.location}.`, ...EARLY },
    })),
  )
}

/** Ordering rules that name what is seen by some alone. */
async function setRules() {
  for (const rule of RULES) await proposalsAs({}, 'setPolicy', { rule: { ...rule, moq: 20 } })
}

const RULES = [
  { level: 'location', location: 'FARAWAY' },
  { level: 'location', location: 'HERE' },
  { level: 'sku', sku: 'FAR-0' },
  { level: 'sku+location', sku: 'both-0', location: 'FARAWAY' },
  { level: 'supplier', supplier: 'FAR-S' },
  { level: 'supplier', supplier: 'S-1' },
  { level: 'group', skuGroup: 'ALIENS' },
  { level: 'group', skuGroup: 'OURS' },
  { level: 'sku', sku: 'ALIEN-0' },
]

/** One of each kind is approved and one rejected, so that there are decisions and their history. */
async function decideSome() {
  for (const sku of ['open', 'FAR', 'ALIEN']) {
    const of = async (at: number) =>
      (await SELECT.one
        .from(Proposals)
        .columns('ID')
        .where({ sku: `${sku}-${at}` }))!.ID
    await approve(await of(0), { comment: `All of ${sku}-0` })
    await proposalsAs({}, 'decline', { ID: await of(1), reason: 'price', comment: `No ${sku}-1` })
  }
}
