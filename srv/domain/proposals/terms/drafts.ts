// What lies in the ERP before an order: how much of it is left, how old it is, and whether it counts as coming.
import { byText } from '../../../../engine/index.ts'
import { daysBetween, type Receipt, withoutNoise } from '../../../../engine/proposal/index.ts'
import {
  CurrentDrafts,
  CurrentOpenOrders,
  HandOverLines,
  Proposals,
  readAs,
  Receipts,
} from '../../../base/database/entities.ts'
import { inChunks, toDecimal } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import type { LocalDays } from '../../../base/time/days.ts'
import { costOf, type Pair, pairKey, whereOfPairs } from '../to-proposal.ts'
import { isCounted, referencesIn } from './erp-orders.ts'

interface DraftRow extends Pair {
  source_ID: number
  document: string
  line: string
  kind: string
  quantity: unknown
  ordered: unknown
  due: string | null
  createdOn: string | null
  supplier: string | null
  reference: string | null
  /** Of a contract, in the currency, or in that of the SKU's unit cost. */
  unitCost: string | null
  currency: string | null
  agreedValue: unknown
  orderedValue: unknown
}

/** Why a draft counts as coming, or does not. */
type DraftStanding = 'counted' | 'too_old' | 'in_proposal' | 'contract'

export interface Draft extends Omit<
  DraftRow,
  'quantity' | 'ordered' | 'agreedValue' | 'orderedValue'
> {
  quantity: number
  /** What has not become orders yet. */
  remaining: number
  /** Of a contract over money, all of it and what the ERP says is left; null of others. */
  agreedValue: string | null
  remainingValue: string | null
  /** Null where the ERP does not say when it was made. */
  ageDays: number | null
  standing: DraftStanding
}

/** The drafts of a source of which something is left. */
export class DraftBook {
  readonly #byPair: ReadonlyMap<string, Draft[]>

  constructor(drafts: readonly Draft[]) {
    this.#byPair = Map.groupBy(drafts, pairKey)
  }

  static async read(source: number, days: LocalDays, pairs?: readonly Pair[]): Promise<DraftBook> {
    return new DraftBook(await readDrafts(source, days, pairs))
  }

  /** Those that count as coming, always in the same order. */
  counted(pair: Pair): Receipt[] {
    const own = this.#byPair.get(pairKey(pair)) ?? []
    return own
      .filter(({ standing }) => standing === 'counted')
      .map(({ due, remaining, document, line }) => ({
        ...{ date: due, quantity: remaining, document: `${document}/${line}` },
      }))
  }
}

/** @param pairs limits the result, contracts of all locations included; absent for all */
export async function readDrafts(
  source: number,
  days: LocalDays,
  pairs?: readonly Pair[],
): Promise<Draft[]> {
  const where = whereOfPairs(pairs)
  return readDraftsOf(source, days, {
    ...(where && { ...where, location: { in: [...where.location.in, ''] } }),
  })
}

/** Of which something is left and that have these values. */
export async function readDraftsOf(
  source: number,
  days: LocalDays,
  values: object,
): Promise<Draft[]> {
  const rows = await readAs<DraftRow>(
    SELECT.from(CurrentDrafts).where({ source_ID: source, ...values }),
  )
  if (!rows.length) return []
  const orderedOf = await readOrdered(source, rows)
  const isProposed = await readProposed(rows)
  const least = settings().draftDays
  const drafts = rows.map((row): Draft => {
    const { agreedValue, orderedValue, ...draft } = row
    const [quantity, told] = [Number(row.quantity), Number(row.ordered ?? 0)]
    const remaining = withoutNoise(Math.max(0, quantity - Math.max(told, orderedOf(row))))
    const today = row.location ? days.of(row.location) : days.usual
    const ageDays = row.createdOn === null ? null : Math.max(0, daysBetween(row.createdOn, today))
    const standing =
      row.kind === 'contract'
        ? 'contract'
        : isProposed(row)
          ? 'in_proposal'
          : least > 0 && (ageDays ?? 0) < least
            ? 'counted'
            : 'too_old'
    return {
      ...{ ...draft, unitCost: costOf(row.unitCost), quantity, remaining, ageDays, standing },
      ...moneyOf(agreedValue, orderedValue),
    }
  })
  return drafts
    .filter(({ remaining, remainingValue }) => remaining > 0 || Number(remainingValue) > 0)
    .sort((a, b) => byText(a.document, b.document) || byText(a.line, b.line))
}

function moneyOf(agreed: unknown, ordered: unknown) {
  const agreedValue = toDecimal(agreed, 2)
  const left = Math.max(0, Number(agreed ?? 0) - Number(ordered ?? 0))
  return { agreedValue, remainingValue: agreedValue && toDecimal(left, 2) }
}

interface OrderRow extends Pair {
  document: string
  draft: string | null
  units: unknown
}

/**
 * How much of a draft has become orders, open and received: of those that name it, and of those with its own number, since a
 * request for quotation may go on as the order. A contract is called off for any location.
 */
async function readOrdered(source: number, drafts: readonly DraftRow[]) {
  const ordered = new Map<string, number>()
  const documents = [...new Set(drafts.map(({ document }) => document))]
  const lines = drafts.map(({ document, line }) => `${document}/${line}`)
  const read = async (entity: typeof CurrentOpenOrders | typeof Receipts, named: object) => {
    const rows = await readAs<OrderRow>(
      SELECT.from(entity)
        .columns('sku', 'location', 'document', 'draft', 'sum(quantity) as units')
        .where({ source_ID: source, ...named })
        .groupBy('sku', 'location', 'document', 'draft'),
    )
    for (const { sku, location, document, draft, units } of rows)
      for (const place of [location, ''])
        add(
          ordered,
          `${draft ?? document}\u0000${pairKey({ sku, location: place })}`,
          Number(units),
        )
  }
  for (const entity of [CurrentOpenOrders, Receipts]) {
    for (const chunk of inChunks([...documents, ...lines]))
      await read(entity, { draft: { in: chunk } })
    for (const chunk of inChunks(documents))
      await read(entity, { document: { in: chunk }, draft: null })
  }
  return ({ document, line, ...pair }: DraftRow) =>
    (ordered.get(`${document}/${line}\u0000${pairKey(pair)}`) ?? 0) +
    (ordered.get(`${document}\u0000${pairKey(pair)}`) ?? 0)
}

function add(sums: Map<string, number>, key: string, units: number) {
  sums.set(key, (sums.get(key) ?? 0) + units)
}

/** Whether a draft is what an approved proposal became that still counts as supply itself. */
async function readProposed(rows: readonly DraftRow[]): Promise<(row: DraftRow) => boolean> {
  const named = rows.flatMap(({ reference }) => referencesIn(reference))
  if (!named.length) return () => false
  const numbers = (kind: string) => [
    ...new Set(named.filter((each) => each.kind === kind).map(({ ID }) => ID)),
  ]
  const taken: { handOver: number; proposal: number }[] = []
  for (const chunk of inChunks(numbers('ho')))
    taken.push(
      ...(await readAs<(typeof taken)[number]>(
        SELECT.from(HandOverLines)
          .columns('handOver', 'proposal')
          .where({ handOver: { in: chunk } }),
      )),
    )
  const counting = new Map<number, string>()
  for (const chunk of inChunks([...numbers('prop'), ...taken.map(({ proposal }) => proposal)]))
    for (const row of await readAs<Pair & { ID: number; status: string; flag: string | null }>(
      SELECT.from(Proposals)
        .columns('ID', 'sku', 'location', 'status', 'flag')
        .where({ ID: { in: chunk } }),
    ))
      if (isCounted(row)) counting.set(row.ID, pairKey(row))
  const byHandOver = Map.groupBy(taken, ({ handOver }) => handOver)
  const proposalsOf = ({ kind, ID }: (typeof named)[number]) =>
    kind === 'prop' ? [ID] : (byHandOver.get(ID) ?? []).map(({ proposal }) => proposal)
  return (row) =>
    referencesIn(row.reference)
      .flatMap(proposalsOf)
      .some((ID) => counting.get(ID) === pairKey(row))
}
