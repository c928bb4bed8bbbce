// Scheduling agreements: their schedule lines are orders that come, and what of the target quantity is not scheduled yet is
// a contract.
import { dayText } from '../../rows/days.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { addRecord, addRecords, type SnapshotPage } from '../../rows/pages.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  currencyOf,
  dayOf,
  mapAbout,
  numberOf,
  unitsOf,
} from '../../rows/values.ts'
import type { RecordOf } from '../../records.ts'
import type { ScheduledItemRow, SchedulingAgreementRow, SchedulingLineRow } from '../entities.ts'
import { nameGoneProducts } from '../orders/gone-products.ts'
import { itemKey, readScheduleLines } from '../orders/lines.ts'
import { SCHEDULING_AGREEMENT } from '../services.ts'
import type { System } from '../system.ts'
import { type Conversions, costOf, inBase, openInBase, readConversions } from '../units.ts'

const service = SCHEDULING_AGREEMENT
const IS_NOT_DELETED = "PurchasingDocumentDeletionCode eq ''"

export const SCHEDULING_AGREEMENTS = {
  ...{ service, set: 'A_SchAgrmtHeader', key: ['SchedulingAgreement'], filter: IS_NOT_DELETED },
  select: names('SchedulingAgreement Supplier ValidityStartDate ValidityEndDate'),
}

const ITEMS = {
  ...{ service, set: 'A_SchAgrmtItem', key: ['SchedulingAgreement', 'SchedulingAgreementItem'] },
  filter: IS_NOT_DELETED,
  select: names(
    `SchedulingAgreement SchedulingAgreementItem Material Plant OrderQuantityUnit TargetQuantity
     OrderPriceUnit NetPriceAmount NetPriceQuantity DocumentCurrency AccountAssignmentCategory`,
  ),
}

const LINES = {
  ...{ service, set: 'A_SchAgrmtSchLine' },
  key: ['SchedulingAgreement', 'SchedulingAgreementItem', 'ScheduleLine'],
  select: names(
    `SchedulingAgreement SchedulingAgreementItem ScheduleLine ScheduleLineDeliveryDate
     ScheduleLineOrderQuantity RoughGoodsReceiptQty PurchaseRequisition PurchaseRequisitionItem`,
  ),
}

/** An item that comes into stock, with all that was ever scheduled of it. */
interface Item {
  agreement: SchedulingAgreementRow
  row: ScheduledItemRow
  lines: SchedulingLineRow[]
}

interface Agreements {
  items: Item[]
  conversions: Conversions
  /** The ERP's calendar. */
  today: string
}

/** Read once for both streams, so that what is scheduled between them is in neither twice. */
const agreementsOf = (system: System, signal: AbortSignal): Promise<Agreements> =>
  system.once.shared('scheduling agreements', (own) => readAgreements(system, own), signal)

async function readAgreements(system: System, signal: AbortSignal): Promise<Agreements> {
  const headers = await system.all<SchedulingAgreementRow>(SCHEDULING_AGREEMENTS, signal)
  const byNumber = new Map(headers.map((row) => [row.SchedulingAgreement, row]))
  const numbers = [...byNumber.keys()]
  const rows = numbers.length
    ? await system.allOf<ScheduledItemRow>(ITEMS, 'SchedulingAgreement', numbers, signal)
    : []
  const own = rows.filter((row) => byNumber.has(row.SchedulingAgreement) && isForStock(row))
  const scheduled = new Set(own.map(({ SchedulingAgreement }) => SchedulingAgreement))
  const lines = own.length
    ? await readScheduleLines<SchedulingLineRow>(system, LINES, scheduled, signal)
    : new Map<string, SchedulingLineRow[]>()
  const units = own.flatMap((row) => [unitOf(row), priceUnitOf(row)])
  const conversions = await readConversions(system, units, signal)
  const now = own.length ? await system.probe(SCHEDULING_AGREEMENTS, signal) : new Date()
  const items = own.map((row) => ({
    ...{ agreement: byNumber.get(row.SchedulingAgreement)!, row },
    lines: lines.get(keyOf(row)) ?? [],
  }))
  return { items, conversions, today: dayText(now.getTime()) }
}

const keyOf = ({ SchedulingAgreement, SchedulingAgreementItem }: ScheduledItemRow) =>
  itemKey(SchedulingAgreement, SchedulingAgreementItem)

const isForStock = ({ Material, Plant, AccountAssignmentCategory }: ScheduledItemRow): boolean =>
  Boolean(Material && Plant) && !AccountAssignmentCategory

const unitOf = (row: ScheduledItemRow) => ({
  sku: row.Material ?? '',
  unit: row.OrderQuantityUnit ?? '',
})

const priceUnitOf = (row: ScheduledItemRow) => ({
  sku: row.Material ?? '',
  unit: row.OrderPriceUnit || row.OrderQuantityUnit || '',
})

function conversionOf(conversions: Conversions, row: ScheduledItemRow) {
  const found = conversions(unitOf(row))
  if (found) return found
  const rule = `${row.OrderQuantityUnit} has no conversion to the base unit`
  throw new BadValue('OrderQuantityUnit', rule, 'unit_conversion')
}

async function* asPage<K extends 'drafts' | 'openOrders'>(
  system: System,
  signal: AbortSignal,
  add: (page: SnapshotPage<K>, agreements: Agreements) => void,
): AsyncGenerator<SnapshotPage<K>> {
  const agreements = await agreementsOf(system, signal)
  const { length: done } = agreements.items
  if (!done) return
  const page: SnapshotPage<K> = { records: [], quarantined: [], done, total: done }
  add(page, agreements)
  page.quarantined = await nameGoneProducts(system, page.quarantined, signal)
  yield page
}

/** What is not scheduled yet. @throws Fatal where agreements may not be read */
export const readScheduledContracts = (
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> =>
  asPage<'drafts'>(system, signal, (page, { items, conversions, today }) => {
    const current = items.filter(({ agreement: { ValidityEndDate } }) => {
      const last = dayOf(ValidityEndDate, 'ValidityEndDate')
      return last === null || last >= today
    })
    addRecords(
      page,
      current,
      (item) => toContract(item, conversions),
      ({ row }) => `${ITEMS.set}(${keyOf(row)})`,
      ({ row }) => row,
    )
  })

/** What is still to come of schedule lines. @throws Fatal where agreements may not be read */
export const readScheduledOrders = (
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> =>
  asPage<'openOrders'>(system, signal, (page, { items, conversions }) => {
    for (const item of items)
      for (const line of item.lines)
        addRecord(
          page,
          line,
          () => toOpenOrder(item, line, conversions),
          () => `${LINES.set}(${keyOf(item.row)}/${line.ScheduleLine})`,
        )
  })

const TARGET = 'TargetQuantity'
const SCHEDULED = 'ScheduleLineOrderQuantity'
const RECEIVED = 'RoughGoodsReceiptQty'

const scheduledOf = (lines: readonly SchedulingLineRow[]): Exact =>
  lines.reduce((sum, line) => sum + unitsOf(line[SCHEDULED], SCHEDULED), 0n)

/** Null without a target quantity, and where all of it is scheduled. */
const toContract = ({ agreement, row, lines }: Item, conversions: Conversions) =>
  mapAbout(row.Material, row.Plant, (): RecordOf<'drafts'> | null => {
    const [agreed, scheduled] = [unitsOf(row[TARGET], TARGET), scheduledOf(lines)]
    if (agreed <= scheduled) return null
    const conversion = conversionOf(conversions, row)
    const inUnits = (quantity: Exact, field: string) =>
      numberOf(toThreePlaces(inBase(quantity, conversion)), field)
    return {
      document: codeOf(row.SchedulingAgreement, 'SchedulingAgreement'),
      line: codeOf(row.SchedulingAgreementItem, 'SchedulingAgreementItem'),
      kind: 'contract',
      sku: codeOf(row.Material, 'Material'),
      location: codeOf(row.Plant, 'Plant'),
      quantity: inUnits(agreed, TARGET),
      ordered: inUnits(scheduled, SCHEDULED),
      due: dayOf(agreement.ValidityEndDate, 'ValidityEndDate'),
      createdOn: dayOf(agreement.ValidityStartDate, 'ValidityStartDate'),
      supplier: codeOrNull(agreement.Supplier, 'Supplier'),
      unitCost: costOf(row.NetPriceAmount, row.NetPriceQuantity, conversions(priceUnitOf(row))),
      currency: currencyOf(row.DocumentCurrency, 'DocumentCurrency'),
    }
  })

/** Null where nothing is open. */
const toOpenOrder = ({ agreement, row }: Item, line: SchedulingLineRow, conversions: Conversions) =>
  mapAbout(row.Material, row.Plant, (): RecordOf<'openOrders'> | null => {
    const scheduled = unitsOf(line[SCHEDULED], SCHEDULED)
    const open = scheduled - unitsOf(line[RECEIVED], RECEIVED)
    if (open <= 0n) return null
    const units = openInBase(open, scheduled, conversionOf(conversions, row))
    return {
      document: codeOf(row.SchedulingAgreement, 'SchedulingAgreement'),
      line: codeOf(`${row.SchedulingAgreementItem}/${line.ScheduleLine}`, 'ScheduleLine'),
      sku: codeOf(row.Material, 'Material'),
      location: codeOf(row.Plant, 'Plant'),
      quantity: numberOf(toThreePlaces(units), SCHEDULED),
      due: dayOf(line.ScheduleLineDeliveryDate, 'ScheduleLineDeliveryDate'),
      reference: null,
      supplier: codeOrNull(agreement.Supplier, 'Supplier'),
      orderedOn: null,
      // The requisition that it was made of counts too; what the agreement has left is told already.
      draft: line.PurchaseRequisition
        ? itemKey(line.PurchaseRequisition, line.PurchaseRequisitionItem ?? '')
        : keyOf(row),
    }
  })
