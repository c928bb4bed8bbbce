// From which contract each open proposal calls off, and what the contract has left for it.
import { callOffs, contractsFor } from '../../../../engine/proposal/index.ts'
import { CurrentDrafts, Planning, readAs, Skus } from '../../../base/database/entities.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { allowsStep, openStatuses, statusAfter } from '../stored/flow.ts'
import type { CallOff, OrderUnits, ValueContract } from '../stored/proposal.ts'
import { type Pair, pairKey, type Proposal, whereOfPairs } from '../to-proposal.ts'
import { type Draft, readDraftsOf } from './drafts.ts'
import { isCounted } from './erp-orders.ts'

type Calling = Pick<
  Proposal,
  'ID' | 'source' | 'kind' | 'status' | 'flag' | 'location' | 'supplier' | 'sku' | 'quantity'
>

/** An order that the ERP has is in what the contract has left; before that an approved proposal takes it. */
const isCalling = (proposal: Pick<Calling, 'kind' | 'status' | 'flag'>) =>
  proposal.kind === 'purchase' && (allowsStep(proposal.status, 'decline') || isCounted(proposal))

interface Contracts {
  callOff: CallOff | null
  valueContract: ValueContract | null
}

const NONE: Contracts = { callOff: null, valueContract: null }

/** Each with its contract; null where it calls off from none. */
export async function withCallOffs<P extends Calling>(
  proposals: readonly P[],
): Promise<(P & Contracts)[]> {
  const found = new Map<number, Contracts>()
  for (const [source, skus] of await readAgreed(proposals.filter(isCalling)))
    for (const entry of await readOfSource(source, skus)) found.set(...entry)
  return proposals.map((proposal) => ({ ...proposal, ...(found.get(proposal.ID) ?? NONE) }))
}

/** The SKUs for which there are contracts, by source. */
async function readAgreed(proposals: readonly Calling[]): Promise<Map<number, string[]>> {
  if (!proposals.length) return new Map()
  const rows = await readAs<{ source_ID: number; sku: string }>(
    SELECT.distinct
      .from(CurrentDrafts)
      .columns('source_ID', 'sku')
      .where({
        source_ID: { in: [...new Set(proposals.map(({ source }) => source))] },
        sku: { in: [...new Set(proposals.map(({ sku }) => sku))] },
        kind: 'contract',
      }),
  )
  const bySource = Map.groupBy(rows, (row) => Number(row.source_ID))
  return new Map([...bySource].map(([source, own]) => [source, own.map(({ sku }) => sku)]))
}

/** Of all proposals of these SKUs, since what one takes another has not. */
async function readOfSource(source: number, skus: string[]): Promise<[number, Contracts][]> {
  const days = await readLocalDays(source)
  const contracts = await readDraftsOf(source, days, { sku: { in: skus }, kind: 'contract' })
  const rows = (await SELECT.from('restock.Proposals')
    .columns('ID', 'kind', 'status', 'flag', 'sku', 'location', 'supplier', 'quantity')
    .where({
      series: {
        in: SELECT.from('restock.Series')
          .columns('ID')
          .where({ source_ID: source, sku: { in: skus } }),
      },
      status: { in: [...openStatuses(), statusAfter('approve')] },
    } as never)) as Calling[]
  const calls = Map.groupBy(
    rows
      .map((row) => ({ ...row, kind: row.kind ?? 'purchase', quantity: Number(row.quantity) }))
      .filter(isCalling)
      .sort((a, b) => rankOf(a) - rankOf(b) || a.ID - b.ID),
    ({ sku }) => sku,
  )
  const bySku = Map.groupBy(contracts, ({ sku }) => sku)
  return [...bySku].flatMap(([sku, own]) => {
    const wanted = calls.get(sku) ?? []
    const called = callOffs(own, wanted, days.usual)
    return wanted.map((call): [number, Contracts] => {
      const callOff = called.get(call.ID) ?? null
      return [
        call.ID,
        { callOff, valueContract: callOff ? null : overMoney(own, call, days.usual) },
      ]
    })
  })
}

/** The oldest over money that has something left. Units of others may be of the same money, so no quantity follows from it. */
function overMoney(contracts: Draft[], call: Calling, day: string): ValueContract | null {
  const open = contracts.filter(({ remainingValue }) => Number(remainingValue) > 0)
  const [contract] = contractsFor(open, call, day)
  if (!contract) return null
  const { document, line, due, agreedValue, remainingValue, currency } = contract
  return {
    document,
    line,
    due,
    currency,
    agreedValue: agreedValue!,
    remainingValue: remainingValue!,
  }
}

/** What is approved comes first, and then the older proposal. */
const rankOf = ({ status }: Pick<Calling, 'status'>) => (status === statusAfter('approve') ? 0 : 1)

// The units in which suppliers take orders, beside the base units in which all is planned.

interface Terms extends Pair {
  source_ID: number
  supplier: string | null
  orderUnit: string | null
  unitsPerOrderUnit: number | null
  orderPrice: unknown
  supplierSku: string | null
}

type Ordered = Pick<Proposal, 'source' | 'sku' | 'location' | 'supplier' | 'quantity' | 'unitCost'>

/** Of proposals, by what they are read of: one query for all. */
export async function readOrderUnits(
  proposals: readonly Ordered[],
): Promise<(proposal: Ordered) => OrderUnits> {
  const sources = { in: [...new Set(proposals.map(({ source }) => source))] }
  const pairs = proposals.length ? whereOfPairs(proposals)! : null
  const terms =
    pairs &&
    (await readAs<Terms>(
      SELECT.from(Planning)
        .columns('source_ID', 'sku', 'location', 'supplier')
        .columns('orderUnit', 'unitsPerOrderUnit', 'orderPrice', 'supplierSku')
        .where({ source_ID: sources, ...pairs }),
    ))
  const units =
    pairs &&
    (await readAs<{ source_ID: number; sku: string; unit: string | null }>(
      SELECT.from(Skus)
        .columns('source_ID', 'sku', 'unit')
        .where({ source_ID: sources, sku: pairs.sku }),
    ))
  const termsOf = new Map(terms?.map((row) => [`${row.source_ID} ${pairKey(row)}`, row]))
  const unitOf = new Map(units?.map(({ source_ID, sku, unit }) => [`${source_ID} ${sku}`, unit]))
  return (proposal) =>
    orderUnitsOf(
      proposal,
      unitOf.get(`${proposal.source} ${proposal.sku}`) ?? null,
      termsOf.get(`${proposal.source} ${pairKey(proposal)}`),
    )
}

/** Each with what its quantity is in order units. */
export async function withOrderUnits<P extends Ordered>(
  proposals: readonly P[],
): Promise<(P & { orderUnits: OrderUnits })[]> {
  const of = await readOrderUnits(proposals)
  return proposals.map((proposal) => ({ ...proposal, orderUnits: of(proposal) }))
}

/** @param terms of the pair; those of another supplier than the proposal's say nothing */
export function orderUnitsOf(
  { supplier, quantity, unitCost }: Pick<Ordered, 'supplier' | 'quantity' | 'unitCost'>,
  unit: string | null,
  terms: Omit<Terms, 'source_ID' | 'sku' | 'location'> | undefined,
): OrderUnits {
  const isOwn = terms && (terms.supplier === null || terms.supplier === supplier)
  const supplierSku = (isOwn && terms.supplierSku) || null
  const size = (isOwn && terms.orderUnit && Number(terms.unitsPerOrderUnit ?? 1)) || 0
  const orderQuantity = size ? inOrderUnits(quantity, size) : null
  if (!size || orderQuantity === null) {
    const whole = { orderUnit: null, unitsPerOrderUnit: 1, orderQuantity: String(quantity) }
    return { unit, ...whole, orderPrice: unitCost, supplierSku }
  }
  const orderPrice = unitCost === null ? null : priceOf(unitCost, size, terms!.orderPrice)
  const { orderUnit } = terms!
  return { unit, orderUnit, unitsPerOrderUnit: size, orderQuantity, orderPrice, supplierSku }
}

const THOUSANDTHS = 1_000

/** A number of order units as a decimal of three places at most; null where these are not as many base units again. */
export function inOrderUnits(quantity: number, size: number): string | null {
  const thousandths = Math.round((quantity / size) * THOUSANDTHS)
  const back = (thousandths / THOUSANDTHS) * size
  if (thousandths < 1 || Math.abs(back - quantity) > quantity * 1e-12) return null
  return plain(BigInt(thousandths), 3)
}

const COST_PLACES = 4
const SIZE_PLACES = 6
const PRICE_PLACES = 6

/** The ERP's own price of an order unit where the unit cost was made of it, else that of as many units. */
function priceOf(unitCost: string, size: number, stored: unknown): string {
  const cost = Number(unitCost)
  if (stored != null && Math.abs(Number(stored) / size - cost) < 0.5001 / 10 ** COST_PLACES)
    return plain(BigInt(Math.round(Number(stored) * 10 ** COST_PLACES)), COST_PLACES)
  const exact =
    BigInt(Math.round(cost * 10 ** COST_PLACES)) * BigInt(Math.round(size * 10 ** SIZE_PLACES))
  const unit = 10n ** BigInt(COST_PLACES + SIZE_PLACES - PRICE_PLACES)
  return plain((exact + unit / 2n) / unit, PRICE_PLACES)
}

/** A decimal without zeros at its end. */
function plain(scaled: bigint, places: number): string {
  let [digits, left] = [scaled, places]
  for (; left > 0 && digits % 10n === 0n; left--) digits /= 10n
  if (left === 0) return String(digits)
  const text = String(digits).padStart(left + 1, '0')
  return `${text.slice(0, -left)}.${text.slice(-left)}`
}
