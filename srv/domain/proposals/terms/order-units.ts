// The units in which suppliers take orders, beside the base units in which all is planned.
import { Planning, readAs, Skus } from '../../../base/database/entities.ts'
import type { OrderUnits } from '../stored/proposal.ts'
import { type Pair, pairKey, type Proposal, whereOfPairs } from '../to-proposal.ts'

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
