// Approved proposals as the lines of an order form.
import {
  LineFault,
  type OrderForm,
  type OrderLine,
  placeLines,
} from '../../../../adapters/order-form.ts'
import { toDate, toEpochDay } from '../../../../engine/index.ts'
import { arrivalOf } from '../../../../engine/proposal/index.ts'
import { Locations, readAs, Skus, Suppliers } from '../../../base/database/entities.ts'
import { type ErrorDetail, Refusal } from '../../../base/errors.ts'
import type { CallOff } from '../stored/proposal.ts'
import { withCallOffs } from '../terms/call-offs.ts'
import { ClosureBook } from '../terms/closures.ts'
import { readOrderUnits } from '../terms/order-units.ts'
import type { Proposal } from '../to-proposal.ts'

export interface TakenLine {
  proposal: Proposal
  line: OrderLine
}

/** @param handOver its number, which the lines name @param day of the order */
export async function linesOf(
  proposals: readonly Proposal[],
  { source, day, handOver }: { source: number; day: string; handOver: number },
): Promise<TakenLine[]> {
  const units = await readOrderUnits(proposals)
  const skus = await namesOf(Skus, 'sku', source)
  const suppliers = await namesOf(Suppliers, 'supplier', source)
  const locations = await namesOf(Locations, 'location', source)
  const closures = await ClosureBook.read(source, day)
  return (await withCallOffs(proposals)).map(({ callOff, valueContract: _, ...proposal }) => {
    const { orderUnit, ...own } = units(proposal)
    const line: OrderLine = {
      reference: `prop_${proposal.ID}`,
      handOver: `ho_${handOver}`,
      kind: proposal.kind ?? 'purchase',
      ...{ sku: proposal.sku, name: skus.get(proposal.sku) ?? null },
      supplierSku: own.supplierSku,
      ...{ location: proposal.location, locationName: locations.get(proposal.location) ?? null },
      fromLocation: proposal.fromLocation,
      supplier: proposal.supplier,
      supplierName: suppliers.get(proposal.supplier ?? '') ?? null,
      ...{ quantity: proposal.quantity, unit: own.unit },
      ...{ orderQuantity: own.orderQuantity, orderUnit: orderUnit ?? own.unit },
      unitsPerOrderUnit: own.unitsPerOrderUnit,
      price: contractPrice(callOff, proposal.currency, own.unitsPerOrderUnit) ?? own.orderPrice,
      contract: contractOf(callOff),
      ...{ value: proposal.value, currency: proposal.currency },
      orderedOn: day,
      wantedOn: wantedOn(proposal, day, closures),
    }
    return { proposal, line }
  })
}

/** When an order of that day is usable: no closed day of the supplier passes of its lead time, and the location receives it. */
function wantedOn(proposal: Proposal, day: string, closures: ClosureBook): string {
  const { kind, supplier, location, calculation } = proposal
  return toDate(
    arrivalOf(toEpochDay(day), calculation.leadTimeDays ?? 0, {
      supplier: kind === 'transfer' ? null : closures.supplier(supplier),
      location: closures.location(location),
    }),
  )
}

const contractOf = (callOff: CallOff | null) =>
  callOff?.called
    ? { document: callOff.contract.document, line: callOff.contract.line, over: callOff.over }
    : null

/** Of an order unit; null unless the contract has a price in the line's currency, and room for all of it. */
function contractPrice(
  callOff: CallOff | null,
  currency: string | null | undefined,
  units: number,
) {
  if (!callOff?.called || callOff.over) return null
  const { unitCost, currency: own } = callOff.contract
  if (unitCost === null || (own !== null && own !== currency)) return null
  return String(Number((Number(unitCost) * units).toFixed(6)))
}

type Named = typeof Skus | typeof Suppliers | typeof Locations

async function namesOf(entity: Named, key: string, source: number): Promise<Map<string, string>> {
  const rows = await readAs<Record<string, string | null>>(
    SELECT.from(entity as typeof Skus)
      .columns(key as 'sku', 'name')
      .where({ source_ID: source, name: { '!=': null } }) as never,
  )
  return new Map(rows.map((row) => [row[key]!, row.name!]))
}

/** Faults that somebody can read. */
const MOST_FAULTS = 100

/** @throws Refusal line_not_importable with the faults of all lines, where the ERP would not take one */
export function assertImportable(form: OrderForm, lines: readonly OrderLine[]) {
  const faults: ErrorDetail[] = []
  for (const line of lines) {
    try {
      form.tables(placeLines(form, [line]))
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      const { message, reference } = error
      faults.push({ code: 'line_not_importable', message, target: reference })
    }
  }
  if (!faults.length) return
  const count = faults.length === 1 ? 'One line' : `${faults.length} lines`
  throw new Refusal(
    'line_not_importable',
    `${count} would not be taken by the ERP's import: ${faults[0]!.message}.`,
    { details: faults.slice(0, MOST_FAULTS) },
  )
}
