// Scheduling agreements: their schedule lines are orders that come, and what of the target quantity is not scheduled yet is
// a contract.
import { addDays, dayText } from '../../rows/days.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { addRecords, type SnapshotPage } from '../../rows/pages.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  dayOrNull,
  mapAbout,
  numberOf,
  orBad,
  unitsOf,
} from '../../rows/values.ts'
import type { RecordOf } from '../../records.ts'
import type { ScheduledItemRow, SchedulingAgreementRow, SchedulingLineRow } from '../entities.ts'
import { nameGoneProducts } from '../orders/gone-products.ts'
import { itemKey, readScheduleLines } from '../orders/lines.ts'
import { SCHEDULING_AGREEMENT } from '../services.ts'
import type { System } from '../system.ts'
import { type Conversions, inBase, openInBase, priceOf, readConversions } from '../units.ts'

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

/** Agreements whose schedule lines are read together: an old one has hundreds of them. */
const PAGE_AGREEMENTS = 200

/** What is open of an agreement that ended longer ago is not awaited any more: nobody closes such lines. */
const ENDED_DAYS = 400

/** An item that comes into stock. */
interface Item {
  agreement: SchedulingAgreementRow
  row: ScheduledItemRow
  /** All that was ever scheduled of it, in the order unit; not known where a line has a bad value. */
  scheduled: Exact | BadValue
  /** The lines of which something is still to come. */
  open: SchedulingLineRow[]
}

interface Agreements {
  items: Item[]
  conversions: Conversions
  /** The ERP's calendar. */
  today: string
}

/** Read once for both streams: else a line that is scheduled between them counts as an order and as left of its contract. */
const agreementsOf = (system: System, signal: AbortSignal): Promise<Agreements> =>
  system.once.shared('scheduling agreements', (own) => readAgreements(system, own), signal)

async function readAgreements(system: System, signal: AbortSignal): Promise<Agreements> {
  const today = dayText((await system.probe(SCHEDULING_AGREEMENTS, signal)).getTime())
  const since = addDays(today, -ENDED_DAYS)
  const top = Math.min(PAGE_AGREEMENTS, system.options.page_size)
  const items: Item[] = []
  const query = { ...SCHEDULING_AGREEMENTS, top }
  for await (const { rows } of system.pages<SchedulingAgreementRow>(query, {}, signal)) {
    const current = rows.filter(
      ({ ValidityEndDate }) => (dayOrNull(ValidityEndDate) ?? today) >= since,
    )
    items.push(...(await itemsOf(system, current, signal)))
  }
  const units = items.flatMap(({ row }) => [unitOf(row), priceUnitOf(row)])
  return { items, conversions: await readConversions(system, units, signal), today }
}

async function itemsOf(
  system: System,
  agreements: readonly SchedulingAgreementRow[],
  signal: AbortSignal,
): Promise<Item[]> {
  const field = 'SchedulingAgreement'
  const byNumber = new Map(agreements.map((row) => [row[field], row]))
  const rows = await system.allOf<ScheduledItemRow>(ITEMS, field, byNumber.keys(), signal)
  const own = rows.filter((row) => byNumber.has(row[field]) && isForStock(row))
  const scheduled = own.map((row) => row[field])
  const lines = await readScheduleLines<SchedulingLineRow>(system, LINES, scheduled, signal)
  return own.map((row) => {
    const all = lines.get(keyOf(row)) ?? []
    return {
      ...{ agreement: byNumber.get(row[field])!, row, open: all.filter(isOpen) },
      scheduled: orBad(() => scheduledOf(all)),
    }
  })
}

/** Or not known to be closed. */
const isOpen = (line: SchedulingLineRow): boolean =>
  !(Number(line[RECEIVED] ?? 0) >= Number(line[SCHEDULED] ?? 0))

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

function knownConversionOf(conversions: Conversions, row: ScheduledItemRow) {
  const found = conversions(unitOf(row))
  if (found) return found
  const rule = `${row.OrderQuantityUnit} has no conversion to the base unit`
  throw new BadValue('OrderQuantityUnit', rule, 'unit_conversion')
}

/** Items of a page. */
const PAGE_ITEMS = 5_000

async function* pagesOfItems<K extends 'drafts' | 'openOrders'>(
  system: System,
  signal: AbortSignal,
  add: (page: SnapshotPage<K>, items: readonly Item[], agreements: Agreements) => void,
): AsyncGenerator<SnapshotPage<K>> {
  const agreements = await agreementsOf(system, signal)
  const { length: total } = agreements.items
  for (let at = 0; at < total; at += PAGE_ITEMS) {
    const items = agreements.items.slice(at, at + PAGE_ITEMS)
    const page: SnapshotPage<K> = {
      ...{ records: [], quarantined: [], done: at + items.length, total },
    }
    add(page, items, agreements)
    page.quarantined = await nameGoneProducts(system, page.quarantined, signal)
    yield page
  }
}

/** What is not scheduled yet. @throws Fatal where agreements may not be read */
export const readScheduledContracts = (
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> =>
  pagesOfItems<'drafts'>(system, signal, (page, items, { conversions, today }) =>
    addRecords(
      page,
      items,
      (item) => toContract(item, conversions, today),
      ({ row }) => `${ITEMS.set}(${keyOf(row)})`,
      ({ row }) => row,
    ),
  )

/** What is still to come of schedule lines. @throws Fatal where agreements may not be read */
export const readScheduledOrders = (
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> =>
  pagesOfItems<'openOrders'>(system, signal, (page, items, { conversions }) => {
    for (const item of items)
      addRecords(
        page,
        item.open,
        (line) => toOpenOrder(item, line, conversions),
        ({ ScheduleLine }) => `${LINES.set}(${keyOf(item.row)}/${ScheduleLine})`,
      )
  })

const TARGET = 'TargetQuantity'
const SCHEDULED = 'ScheduleLineOrderQuantity'
const RECEIVED = 'RoughGoodsReceiptQty'

const scheduledOf = (lines: readonly SchedulingLineRow[]): Exact =>
  lines.reduce((sum, line) => sum + unitsOf(line[SCHEDULED], SCHEDULED), 0n)

/** Null without a target quantity, where all of it is scheduled, and where it has ended. */
const toContract = ({ agreement, row, scheduled }: Item, conversions: Conversions, today: string) =>
  mapAbout(row.Material, row.Plant, (): RecordOf<'drafts'> | null => {
    const due = dayOf(agreement.ValidityEndDate, 'ValidityEndDate')
    if (due !== null && due < today) return null
    if (scheduled instanceof BadValue) throw scheduled
    const agreed = unitsOf(row[TARGET], TARGET)
    if (agreed <= scheduled) return null
    const conversion = knownConversionOf(conversions, row)
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
      due,
      createdOn: dayOf(agreement.ValidityStartDate, 'ValidityStartDate'),
      supplier: codeOrNull(agreement.Supplier, 'Supplier'),
      ...priceOf(
        row.NetPriceAmount,
        row.NetPriceQuantity,
        row.DocumentCurrency,
        conversions(priceUnitOf(row)),
      ),
    }
  })

/** Null where nothing is open. */
const toOpenOrder = ({ agreement, row }: Item, line: SchedulingLineRow, conversions: Conversions) =>
  mapAbout(row.Material, row.Plant, (): RecordOf<'openOrders'> | null => {
    const scheduled = unitsOf(line[SCHEDULED], SCHEDULED)
    const open = scheduled - unitsOf(line[RECEIVED], RECEIVED)
    if (open <= 0n) return null
    const units = openInBase(open, scheduled, knownConversionOf(conversions, row))
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
      // A requisition that it was made of is a draft as well, which this is taken off. Off the agreement it is already.
      draft: line.PurchaseRequisition
        ? itemKey(line.PurchaseRequisition, line.PurchaseRequisitionItem ?? '')
        : keyOf(row),
    }
  })
