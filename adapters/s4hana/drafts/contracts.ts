// Items of purchase contracts that have not ended, with what purchase orders have called off from them.
import { dayLiteral } from '../../odata/query.ts'
import { withFilter } from '../../odata/reader.ts'
import type { RecordOf } from '../../records.ts'
import { dayText } from '../../rows/days.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../../rows/pages.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  mapAbout,
  numberOf,
  orBad,
  unitsOf,
} from '../../rows/values.ts'
import type { CalledItemRow, ContractItemRow, ContractRow } from '../entities.ts'
import { nameGoneProducts } from '../orders/gone-products.ts'
import { ITEMS, itemKey } from '../orders/lines.ts'
import { purchaseOrderVersion } from '../orders/open-orders.ts'
import { CONTRACT } from '../services.ts'
import type { System } from '../system.ts'
import { type Conversions, inBase, priceOf, readConversions } from '../units.ts'

export const CONTRACTS = {
  service: CONTRACT,
  set: 'A_PurchaseContract',
  key: ['PurchaseContract'],
  select: names('PurchaseContract Supplier ValidityStartDate ValidityEndDate DocumentCurrency'),
  filter: "PurchasingDocumentDeletionCode eq ''",
}

const CONTRACT_ITEMS = {
  service: CONTRACT,
  set: 'A_PurchaseContractItem',
  key: ['PurchaseContract', 'PurchaseContractItem'],
  select: names(
    `PurchaseContract PurchaseContractItem Material Plant OrderQuantityUnit TargetQuantity
     OrderPriceUnit ContractNetPriceAmount NetPriceQuantity DocumentCurrency AccountAssignmentCategory`,
  ),
  filter: "PurchasingContractDeletionCode eq ''",
}

const CALLED = names(
  `PurchaseOrder PurchaseOrderItem Material PurchaseContract PurchaseContractItem OrderQuantity
   PurchaseOrderQuantityUnit IsReturnsItem`,
)

/** Units called off, by contract and item; not known where an order has a bad value. */
type Called = ReadonlyMap<string, Exact | BadValue>

/**
 * All, each time: an order that calls off from a contract does not change its timestamp.
 * @throws Fatal where contracts, or the orders that call off from them, may not be read
 */
export async function* readContracts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const today = dayText((await system.probe(CONTRACTS, signal)).getTime())
  const query = withFilter(CONTRACTS, `ValidityEndDate ge ${dayLiteral(today)}`)
  const found = system.pages<ContractRow>(query, {}, signal)
  yield* pagesOf<'drafts', ContractRow>(found, async (page, contracts) => {
    const byNumber = new Map(contracts.map((row) => [row.PurchaseContract, row]))
    const items = await system.allOf<ContractItemRow>(
      CONTRACT_ITEMS,
      'PurchaseContract',
      byNumber.keys(),
      signal,
    )
    const open = items.filter((row) => byNumber.has(row.PurchaseContract) && isForStock(row))
    if (!open.length) return
    const called = await readCalled(system, new Set(open.map(numberOfItem)), signal)
    const units = open.flatMap((row) => [
      unitOf(row, 'OrderQuantityUnit'),
      unitOf(row, 'OrderPriceUnit'),
    ])
    const conversions = await readConversions(system, units, signal)
    addRecords(
      page,
      open,
      (row) => toContract(row, byNumber.get(row.PurchaseContract)!, called, conversions),
      (row) => `${CONTRACT_ITEMS.set}('${row.PurchaseContract}','${row.PurchaseContractItem}')`,
    )
    page.quarantined = await nameGoneProducts(system, page.quarantined, signal)
  })
}

const numberOfItem = ({ PurchaseContract }: ContractItemRow) => PurchaseContract

/** For one product and a quantity of it: contracts over a value have none, nor have those for a group of products. */
const isForStock = (row: ContractItemRow): boolean =>
  Boolean(row.Material) && !row.AccountAssignmentCategory && Number(row.TargetQuantity) > 0

const unitOf = (row: ContractItemRow, field: 'OrderQuantityUnit' | 'OrderPriceUnit') => ({
  sku: row.Material ?? '',
  unit: row[field] || row.OrderQuantityUnit || '',
})

/** What orders have called off, whether it has come or not. */
async function readCalled(
  system: System,
  contracts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Called> {
  const { service, set, key } = ITEMS[await purchaseOrderVersion(system, signal)]
  const filter = "PurchasingDocumentDeletionCode eq ''"
  const query = { service, set, key: [...key], select: CALLED, filter }
  const rows = await system.allOf<CalledItemRow>(query, 'PurchaseContract', contracts, signal)
  const own = rows.filter((row) => contracts.has(row.PurchaseContract) && !row.IsReturnsItem)
  const unitOfOrder = (row: CalledItemRow) => ({
    sku: row.Material ?? '',
    unit: row.PurchaseOrderQuantityUnit ?? '',
  })
  const conversions = await readConversions(system, own.map(unitOfOrder), signal)
  const unitsOfOrder = (row: CalledItemRow) => {
    const conversion = conversions(unitOfOrder(row))
    if (conversion) return inBase(unitsOf(row.OrderQuantity, 'OrderQuantity'), conversion)
    const rule = `of order ${row.PurchaseOrder} has no conversion to the base unit`
    throw new BadValue('PurchaseOrderQuantityUnit', rule, 'unit_conversion')
  }
  const called = new Map<string, Exact | BadValue>()
  for (const row of own) {
    const name = itemKey(row.PurchaseContract, row.PurchaseContractItem)
    const sum = called.get(name) ?? 0n
    if (sum instanceof BadValue) continue
    const more = orBad(() => unitsOfOrder(row))
    called.set(name, more instanceof BadValue ? more : sum + more)
  }
  return called
}

const QUANTITY = 'TargetQuantity'

/** Null where nothing of it is left. */
const toContract = (
  row: ContractItemRow,
  contract: ContractRow,
  called: Called,
  conversions: Conversions,
): RecordOf<'drafts'> | null =>
  mapAbout(row.Material, row.Plant || null, () => {
    const conversion = conversions(unitOf(row, 'OrderQuantityUnit'))
    if (!conversion) {
      const rule = `${row.OrderQuantityUnit} has no conversion to the base unit`
      throw new BadValue('OrderQuantityUnit', rule, 'unit_conversion')
    }
    const ordered = called.get(itemKey(row.PurchaseContract, row.PurchaseContractItem)) ?? 0n
    if (ordered instanceof BadValue) throw ordered
    const agreed = inBase(unitsOf(row[QUANTITY], QUANTITY), conversion)
    if (agreed <= ordered) return null
    return {
      document: codeOf(row.PurchaseContract, 'PurchaseContract'),
      line: codeOf(row.PurchaseContractItem, 'PurchaseContractItem'),
      kind: 'contract',
      sku: codeOf(row.Material, 'Material'),
      // One without a plant is of all plants.
      location: row.Plant ?? '',
      quantity: numberOf(toThreePlaces(agreed), QUANTITY),
      ordered: numberOf(toThreePlaces(ordered), 'OrderQuantity'),
      due: dayOf(contract.ValidityEndDate, 'ValidityEndDate'),
      createdOn: dayOf(contract.ValidityStartDate, 'ValidityStartDate'),
      supplier: codeOrNull(contract.Supplier, 'Supplier'),
      ...priceOf(
        row.ContractNetPriceAmount,
        row.NetPriceQuantity,
        row.DocumentCurrency || contract.DocumentCurrency,
        conversions(unitOf(row, 'OrderPriceUnit')),
      ),
    }
  })
