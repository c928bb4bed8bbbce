// Why an item is ordered or not, by today's numbers: of every SKU at every location that has demand.
import {
  type Calculation,
  propose,
  type ProposalInput,
  type ProposalResult,
  type Reach,
  reachOf,
  unitsUntilOrder,
  withoutNoise,
} from '../../../../engine/proposal/index.ts'
import { inTransaction } from '../../../base/cap/context.ts'
import {
  BlockedPairs,
  PairPlanning,
  Proposals,
  Series,
  Successions,
} from '../../../base/database/entities.ts'
import { indexOrder, toPage, type PageQuery } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import { rowsOfReader } from '../readers.ts'
import {
  leastBeyondNeed,
  type PairProposals,
  readPairProposals,
  REFUSED,
  ruleConflictsOf,
} from '../run/pair-proposals.ts'
import { isOpen } from '../stored/flow.ts'
import { ExistingTransfers } from '../terms/supply.ts'
import { type PairInputs, readInputsOfPairs } from '../terms/pair-inputs.ts'

export const ITEM_STATES = [
  ...(['proposed', 'rejected', 'next_run', 'enough', 'no_demand', 'can_wait'] as const),
  ...(['not_worth_it', 'limit', 'too_late', 'phased_out', 'not_purchased'] as const),
  ...(['blocked', 'led_by_another_source', 'no_forecast'] as const),
]
type ItemState = (typeof ITEM_STATES)[number]

interface Explained {
  state: ItemState
  why: Facts
  /** What would lead to an order; null where nothing but time does, or there is one. */
  change: Facts | null
  /** Proposals.ID of the open proposal, or of the rejected one. */
  proposal: number | null
  /** The sum that gives no quantity; null where there is none, or a proposal has one of its own. */
  calculation: Calculation | null
  /** `YYYY-MM-DD`: until then the service target is met; null where unknown, or for longer than is forecast. */
  enoughUntil: string | null
  /** `YYYY-MM-DD`: when an order is to be expected, at the median of demand. */
  orderAbout: string | null
  /** What may leave beyond it before an order is due. */
  slack: number | null
}

/** A SKU at a location. */
export interface Item extends Explained {
  /** Series.ID */
  ID: number
  source: number
  sku: string
  location: string
  onHand: number | null
  leadTimeDays: number | null
}

interface ItemQuery extends PageQuery {
  sku?: string | null
  location?: string | null
}

/** The items that the user sees, ordered or not. */
export const listItems = (query: ItemQuery) =>
  inTransaction(async () => {
    const { sku, location, after, limit } = query
    const visible = await rowsOfReader()
    const select = SELECT.from(Series)
      .columns('ID')
      .orderBy(...indexOrder(['ID']))
      .limit(limit + 1)
    if (sku) void select.where({ sku })
    if (location) void select.where({ location })
    if (visible) void select.where(visible)
    if (after) void select.where({ ID: { '>': Number(after) } })
    const { data, next } = toPage(await select, limit, ({ ID }) => ID)
    return { data: await explainItems(data.map(({ ID }) => ID)), next }
  })

/** @throws Refusal not_found where there is no such item, or the user does not see it */
export const findItem = (ID: number) =>
  inTransaction(async () => {
    const visible = await rowsOfReader()
    const select = SELECT.from(Series).columns('ID').where({ ID })
    const [item] = (await (visible ? select.where(visible) : select)).length
      ? await explainItems([ID])
      : []
    if (item) return item
    throw new Refusal('not_found', `There is no item ${ID}.`)
  })

/** Explains items whose visibility the caller has checked, as many as a page holds; in their order. */
export async function explainItems(series: number[]): Promise<Item[]> {
  if (!series.length) return []
  const inputs = await readInputsOfPairs(series)
  const known = await readKnown(series, [...inputs.values()])
  return series.flatMap((ID) => {
    const pair = inputs.get(ID)
    if (!pair) return []
    const { source, sku, location } = pair
    const input = pair.input?.(...known.supplyOf(pair)) ?? null
    return {
      ...{ ID, source, sku, location },
      onHand: input?.position.onHand ?? null,
      leadTimeDays: input?.planning.leadTimeDays ?? null,
      ...explain(pair, input, known),
    }
  })
}

type Known = Awaited<ReturnType<typeof readKnown>>

/** What decides about items besides the inputs of their sum. */
async function readKnown(series: number[], pairs: PairInputs[]) {
  const proposalsOf = await readPairProposals(series)
  const transfers = new Map<number, ExistingTransfers>()
  for (const source of new Set(pairs.map(({ source }) => source)))
    transfers.set(source, await ExistingTransfers.read(source))
  const IDs = series.flatMap((each) => proposalsOf(each).known.map(({ ID }) => ID))
  const decided = IDs.length
    ? await SELECT.from(Proposals)
        .columns('ID', 'decidedAt', 'decidedBy', 'snoozedUntil')
        .where({ ID: { in: IDs } })
    : []
  const of = { in: series }
  const blocked = await SELECT.from(BlockedPairs).where({ series: of })
  const planned = await SELECT.from(PairPlanning)
    .columns('ID', 'purchasable', 'phaseOutOn')
    .where({ ID: of })
  const successors = await SELECT.from(Successions).columns('ID', 'successor').where({ ID: of })
  const byID = <Row extends { ID?: number | null }>(rows: Row[]) =>
    new Map(rows.map((row) => [Number(row.ID), row]))
  return {
    proposalsOf,
    decided: byID(decided),
    blocked: Map.groupBy(blocked, (row) => Number(row.series)),
    planned: byID(planned),
    successors: byID(successors),
    /** What is approved or moved to the pair, what is moved from it, and the day of its last order. */
    supplyOf(pair: PairInputs): [number, number, string | undefined] {
      const { approved, lastOrder } = proposalsOf(pair.series)
      const moved = transfers.get(pair.source)
      const isAny = () => true
      const incoming = approved + (moved?.incoming(pair, isAny) ?? 0)
      return [incoming, moved?.outgoing(pair, isAny) ?? 0, lastOrder]
    },
  }
}

const NOTHING = {
  ...{ change: null, proposal: null, calculation: null },
  ...{ enoughUntil: null, orderAbout: null, slack: null },
}

const told = (state: ItemState, why: Facts, change: Facts | null = null): Explained => ({
  ...{ ...NOTHING, state, why, change },
})

function explain(pair: PairInputs, input: ProposalInput | null, known: Known): Explained {
  const ID = pair.series
  const proposals = known.proposalsOf(ID).known
  const open = proposals.find(({ status }) => isOpen(status))
  if (open) return { ...told('proposed', proposedFacts(open, known)), proposal: open.ID }
  if (pair.ledBy !== null) return told('led_by_another_source', ledFacts(ID, known))
  if (!pair.isBought) return notBought(ID, known)
  if (!input) return told('no_forecast', { text: 'item_no_forecast' })
  const result = propose(input)
  if (result.kind === 'blocked') {
    const missing = result.missing.map(({ missing: what }): Facts => ({ text: `blocked_${what}` }))
    return told('blocked', inARow(missing))
  }
  const rejected = proposals.findLast(
    ({ status, kind }) => REFUSED.includes(status) && kind === 'purchase',
  )
  if (result.kind === 'order') return notProposed(result, rejected, known)
  const calculation = result.calculation
  const reach = reachOf(input, calculation)!
  const slack = withoutNoise(Math.max(0, reach.position - reach.target))
  return {
    ...reasonOf(result, input, reach),
    ...{ calculation, enoughUntil: reach.until, orderAbout: reach.orderAbout, slack },
  }
}

type KnownProposal = PairProposals['known'][number]

function proposedFacts(
  { ID, status, quantity, orderBy }: KnownProposal,
  { decided }: Known,
): Facts {
  const of = { quantity: Number(quantity), id: `prop_${ID}` }
  const until = decided.get(ID)?.snoozedUntil
  if (status === 'snoozed' && until) return { text: 'item_snoozed', ...of, day: dayOf(until) }
  if (status === 'awaiting_second_approval') return { text: 'item_second', ...of }
  return orderBy ? { text: 'item_proposed', ...of, day: orderBy } : { text: 'item_undated', ...of }
}

const dayOf = (time: string) => new Date(time).toISOString().slice(0, 10)

function notBought(ID: number, { planned, successors }: Known): Explained {
  const row = planned.get(ID)
  if (row?.purchasable === false || !row?.phaseOutOn)
    return told('not_purchased', { text: 'item_not_purchased' }, { text: 'change_not_purchased' })
  const successor = successors.get(ID)?.successor
  const day = row.phaseOutOn
  const why: Facts = successor
    ? { text: 'item_succeeded', day, successor }
    : { text: 'item_phased_out', day }
  return told('phased_out', why, { text: 'change_phased_out' })
}

function ledFacts(ID: number, { blocked }: Known): Facts {
  const facts = blocked.get(ID)?.find((row) => row.facts)?.facts
  return facts ? (JSON.parse(facts) as Facts) : { text: 'item_led' }
}

const inARow = ([first, ...rest]: Facts[]): Facts =>
  rest.length ? { text: 'item_sentences', first: first!, last: inARow(rest) } : first!

type Order = Extract<ProposalResult, { kind: 'order' }>

/** An order is needed, and none is open: somebody has refused it, or the next run makes it. */
function notProposed(
  { quantity, calculation }: Order,
  rejected: KnownProposal | undefined,
  { decided }: Known,
): Explained {
  const row = rejected && decided.get(rejected.ID)
  if (!row?.decidedAt)
    return { ...told('next_run', { text: 'item_next_run', quantity }), calculation }
  const text = rejected!.status === 'cancelled' ? 'item_cancelled' : 'item_rejected'
  const why = {
    ...{ text, quantity: Number(rejected!.quantity), id: `prop_${rejected!.ID}` },
    ...{ day: dayOf(row.decidedAt), by: row.decidedBy ?? '' },
  }
  const change = { text: 'change_rejected' }
  return { ...told('rejected', why, change), proposal: rejected!.ID, calculation }
}

function reasonOf(
  { why, calculation }: Extract<ProposalResult, { kind: 'none' }>,
  input: ProposalInput,
  reach: Reach,
): Explained {
  const { targetStock, netRequirement, horizonDays, targetQuantile } = calculation
  const missing = Math.ceil(netRequirement)
  if (why === 'limit') {
    const [conflict] = ruleConflictsOf(calculation)
    const facts = conflict && 'facts' in conflict ? conflict.facts : { text: 'item_state_limit' }
    return told('limit', facts, { text: 'change_limit' })
  }
  if (why === 'too_late') {
    const day = input.planning.phaseOutOn ?? ''
    const days = calculation.leadTimeDays
    return told('too_late', { text: 'item_too_late', day, days }, { text: 'change_phased_out' })
  }
  if (why === 'can_wait') {
    const days = calculation.reviewPeriodDays
    return told('can_wait', { text: 'item_can_wait', days, missing }, { text: 'change_can_wait' })
  }
  if (why === 'not_worth_it') return notWorthIt(calculation, missing)
  if (targetStock === 0) {
    const none = { text: 'item_no_demand', days: horizonDays }
    return told('no_demand', none, { text: 'change_no_demand' })
  }
  const { until: day, position: there, target } = reach
  const of = { there, target, days: horizonDays, level: `P${Math.round(targetQuantile * 100)}` }
  const enough = day ? { text: 'item_enough', ...of, day } : { text: 'item_enough_long', ...of }
  return told('enough', enough, changeOf(reach))
}

function notWorthIt(calculation: Calculation, missing: number): Explained {
  const least = leastBeyondNeed(calculation)
  return least
    ? told(
        'not_worth_it',
        { text: 'item_least_not_worth_it', missing, least },
        { text: 'change_worth_least' },
      )
    : told('not_worth_it', { text: 'item_not_worth_it', missing }, { text: 'change_worth' })
}

function changeOf(reach: Reach): Facts {
  const [units, day] = [unitsUntilOrder(reach), reach.orderAbout]
  return day ? { text: 'change_enough', units, day } : { text: 'change_enough_long', units }
}
