// Items of purchase requisitions that are neither deleted, closed nor blocked, with what has been ordered of them.
import { dayLiteral } from '../../odata/query.ts'
import { withFilter } from '../../odata/reader.ts'
import type { RecordOf } from '../../records.ts'
import { addDays, dayText } from '../../rows/days.ts'
import { toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../../rows/pages.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  mapAbout,
  numberOf,
  unitsOf,
} from '../../rows/values.ts'
import type { RequisitionRow } from '../entities.ts'
import { nameGoneProducts } from '../orders/gone-products.ts'
import { isConsignment } from '../orders/lines.ts'
import { isOurs } from '../orders/to-open-order.ts'
import { REQUISITION } from '../services.ts'
import type { System } from '../system.ts'
import { type Conversions, inBase, readConversions } from '../units.ts'

export const REQUISITIONS = {
  service: REQUISITION,
  set: 'A_PurchaseRequisitionItem',
  key: ['PurchaseRequisition', 'PurchaseRequisitionItem'],
  select: names(
    `PurchaseRequisition PurchaseRequisitionItem Material Plant RequestedQuantity OrderedQuantity BaseUnit
     AccountAssignmentCategory PurchasingDocumentItemCategory IsPurReqnBlocked DeliveryDate CreationDate Supplier FixedSupplier
     RequirementTracking PurReqnExternalReference`,
  ),
  filter: "IsDeleted eq '' and IsClosed eq false",
}

/** What an order was made of longer ago is not asked for: nobody closes such requisitions. */
const ORDERED_DAYS = 400

/**
 * All that is open, each time: an order that is made of a requisition need not change its timestamp.
 * @throws Fatal where they may not be read
 */
export async function* readRequisitions(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const today = dayText((await system.probe(REQUISITIONS, signal)).getTime())
  const since = dayLiteral(addDays(today, -ORDERED_DAYS))
  // B: an order was made of it, or of a part.
  const query = withFilter(REQUISITIONS, `ProcessingStatus ne 'B' or CreationDate ge ${since}`)
  const found = system.pages<RequisitionRow>(query, {}, signal)
  yield* pagesOf<'drafts', RequisitionRow>(found, async (page, rows) => {
    const open = rows.filter(isForStock)
    const conversions = await readConversions(system, open.map(unitOf), signal)
    addRecords(page, open, (row) => toRequisition(row, conversions), placeOf)
    page.quarantined = await nameGoneProducts(system, page.quarantined, signal)
  })
}

const unitOf = ({ Material, BaseUnit }: RequisitionRow) => ({
  sku: Material ?? '',
  unit: BaseUnit ?? '',
})

const placeOf = ({ PurchaseRequisition, PurchaseRequisitionItem }: RequisitionRow) =>
  `${REQUISITIONS.set}('${PurchaseRequisition}','${PurchaseRequisitionItem}')`

/** Will come into own stock: neither blocked nor account-assigned nor consigned. */
const isForStock = (row: RequisitionRow): boolean =>
  !row.IsPurReqnBlocked &&
  !row.AccountAssignmentCategory &&
  !isConsignment(row.PurchasingDocumentItemCategory) &&
  Boolean(row.Material && row.Plant)

/** Null where nothing of it is left. */
export const toRequisition = (
  row: RequisitionRow,
  conversions: Conversions,
): RecordOf<'drafts'> | null =>
  mapAbout(row.Material, row.Plant, () => {
    const conversion = conversions(unitOf(row))
    if (!conversion) {
      const rule = `${row.BaseUnit} has no conversion to the base unit`
      throw new BadValue('BaseUnit', rule, 'unit_conversion')
    }
    const inUnits = (field: 'RequestedQuantity' | 'OrderedQuantity') =>
      numberOf(toThreePlaces(inBase(unitsOf(row[field], field), conversion)), field)
    const [quantity, ordered] = [inUnits('RequestedQuantity'), inUnits('OrderedQuantity')]
    if (quantity <= ordered) return null
    const tracking = row.RequirementTracking
    return {
      document: codeOf(row.PurchaseRequisition, 'PurchaseRequisition'),
      line: codeOf(row.PurchaseRequisitionItem, 'PurchaseRequisitionItem'),
      kind: 'requisition',
      sku: codeOf(row.Material, 'Material'),
      location: codeOf(row.Plant, 'Plant'),
      ...{ quantity, ordered },
      due: dayOf(row.DeliveryDate, 'DeliveryDate'),
      createdOn: dayOf(row.CreationDate, 'CreationDate'),
      supplier: codeOrNull(row.FixedSupplier || row.Supplier, 'Supplier'),
      reference: isOurs(tracking)
        ? tracking
        : codeOrNull(row.PurReqnExternalReference, 'PurReqnExternalReference'),
    }
  })
