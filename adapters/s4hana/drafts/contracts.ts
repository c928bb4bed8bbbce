// Items of purchase contracts that have not ended, with what purchase orders have called off from them.
import { dayLiteral } from '../../odata/query.ts'
import { withFilter } from '../../odata/reader.ts'
import type { RecordOf } from '../../records.ts'
import { dayText } from '../../rows/days.ts'
import { type Exact, multiplyByRatio, ONE, toMoney, toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../../rows/pages.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  currencyOf,
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
import { type Conversion, type Conversions, inBase, priceOf, readConversions } from '../units.ts'

export const CONTRACTS = {
  service: CONTRACT,
  set: 'A_PurchaseContract',
  key: ['PurchaseContract'],
  select: names(
    `PurchaseContract Supplier ValidityStartDate ValidityEndDate DocumentCurrency
     PurchaseContractTargetAmount`,
  ),
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
   PurchaseOrderQuantityUnit NetPriceAmount NetPriceQuantity OrderPriceUnit DocumentCurrency IsReturnsItem`,
)

/** What was called off; not known where an order has a bad value. */
interface Called {
  /** By contract and item. */
  units: ReadonlyMap<string, Exact | BadValue>
  /** Of all items of a contract, in its currency. */
  valueOf(contract: ContractRow): Exact | BadValue
}

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
    const open = items.filter(
      (row) => isForStock(row) && isAgreed(row, byNumber.get(row.PurchaseContract)),
    )
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
    const notes = notesOnUnknown(contracts, open, called)
    if (notes.length) page.notes = notes
    page.quarantined = await nameGoneProducts(system, page.quarantined, signal)
  })
}

const numberOfItem = ({ PurchaseContract }: ContractItemRow) => PurchaseContract

/** For one product, and not for a group of them. */
const isForStock = (row: ContractItemRow): boolean =>
  Boolean(row.Material) && !row.AccountAssignmentCategory

const isOverQuantity = ({ TargetQuantity }: ContractItemRow) => Number(TargetQuantity) > 0

/** Over a quantity of the item, or over a value of the whole contract. */
const isAgreed = (row: ContractItemRow, contract: ContractRow | undefined): boolean =>
  contract !== undefined &&
  (isOverQuantity(row) || Number(contract.PurchaseContractTargetAmount) > 0)

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
  const wanted = own.flatMap((row) => [unitOfOrder(row), unitOfPrice(row)])
  const conversions = await readConversions(system, wanted, signal)
  const unitsOfOrder = (row: CalledItemRow) =>
    inBase(
      unitsOf(row.OrderQuantity, 'OrderQuantity'),
      conversionIn(conversions, row, 'PurchaseOrderQuantityUnit'),
    )
  const units = new Map<string, Exact | BadValue>()
  for (const row of own) {
    const name = itemKey(row.PurchaseContract, row.PurchaseContractItem)
    const sum = units.get(name) ?? 0n
    if (sum instanceof BadValue) continue
    const more = orBad(() => unitsOfOrder(row))
    units.set(name, more instanceof BadValue ? more : sum + more)
  }
  const byContract = Map.groupBy(own, ({ PurchaseContract }) => PurchaseContract)
  const values = new Map<string, Exact | BadValue>()
  const valueOf = ({ PurchaseContract: contract, DocumentCurrency: currency }: ContractRow) => {
    const known = values.get(contract)
    if (known !== undefined) return known
    const orders = byContract.get(contract) ?? []
    const value = orBad(() =>
      orders.reduce((sum, row) => sum + valueOfOrder(row, currency, conversions), 0n),
    )
    values.set(contract, value)
    return value
  }
  return { units, valueOf }
}

const unitOfOrder = (row: CalledItemRow) => ({
  sku: row.Material ?? '',
  unit: row.PurchaseOrderQuantityUnit ?? '',
})

/** Where an order does not say it, its price is for its own unit. */
const unitOfPrice = (row: CalledItemRow) => ({
  sku: row.Material ?? '',
  unit: row.OrderPriceUnit || (row.PurchaseOrderQuantityUnit ?? ''),
})

/** @throws BadValue for a unit that has none */
function conversionIn(
  conversions: Conversions,
  row: CalledItemRow,
  field: 'PurchaseOrderQuantityUnit' | 'OrderPriceUnit',
): Conversion {
  const conversion = conversions(field === 'OrderPriceUnit' ? unitOfPrice(row) : unitOfOrder(row))
  if (conversion) return conversion
  const rule = `of order ${row.PurchaseOrder} has no conversion to the base unit`
  throw new BadValue(field, rule, 'unit_conversion')
}

/** What an item of an order costs. @throws BadValue where that is not known in the currency */
function valueOfOrder(
  row: CalledItemRow,
  currency: string | null,
  conversions: Conversions,
): Exact {
  const { DocumentCurrency: own, PurchaseOrder: order } = row
  if (own !== currency)
    throw new BadValue(
      'DocumentCurrency',
      `of order ${order} is ${own || 'empty'}, not ${currency}`,
    )
  const per = unitsOf(row.NetPriceQuantity, 'NetPriceQuantity') || ONE
  const price = unitsOf(row.NetPriceAmount, 'NetPriceAmount')
  const ordered = unitsOf(row.OrderQuantity, 'OrderQuantity')
  if (unitOfPrice(row).unit === unitOfOrder(row).unit) return multiplyByRatio(ordered, price, per)
  const units = inBase(ordered, conversionIn(conversions, row, 'PurchaseOrderQuantityUnit'))
  const { numerator, denominator } = conversionIn(conversions, row, 'OrderPriceUnit')
  return multiplyByRatio(multiplyByRatio(units, denominator, numerator), price, per)
}

/** What is left of a contract over money is not known where that is so of one of its orders: then it is not shown. */
function notesOnUnknown(
  contracts: readonly ContractRow[],
  items: readonly ContractItemRow[],
  called: Called,
): string[] {
  const overMoney = new Set(items.filter((row) => !isOverQuantity(row)).map(numberOfItem))
  const unknown = contracts.flatMap((contract) => {
    const value = overMoney.has(contract.PurchaseContract) ? called.valueOf(contract) : 0n
    return value instanceof BadValue ? [{ number: contract.PurchaseContract, value }] : []
  })
  const [first] = unknown
  if (!first) return []
  const others = unknown.length > 1 ? `, and of ${unknown.length - 1} more,` : ''
  return [
    `What is left of the contract ${first.number} over money${others} is not known, and not shown: ${first.value.message}`,
  ]
}

const QUANTITY = 'TargetQuantity'

/** Null where nothing of it is left, or nobody knows how much. */
const toContract = (
  row: ContractItemRow,
  contract: ContractRow,
  called: Called,
  conversions: Conversions,
): RecordOf<'drafts'> | null =>
  mapAbout(row.Material, row.Plant || null, () => {
    if (!isOverQuantity(row)) return toValueContract(row, contract, called)
    const conversion = conversions(unitOf(row, 'OrderQuantityUnit'))
    if (!conversion) {
      const rule = `${row.OrderQuantityUnit} has no conversion to the base unit`
      throw new BadValue('OrderQuantityUnit', rule, 'unit_conversion')
    }
    const ordered = called.units.get(itemKey(row.PurchaseContract, row.PurchaseContractItem)) ?? 0n
    if (ordered instanceof BadValue) throw ordered
    const agreed = inBase(unitsOf(row[QUANTITY], QUANTITY), conversion)
    if (agreed <= ordered) return null
    return {
      ...termsOf(row, contract),
      quantity: numberOf(toThreePlaces(agreed), QUANTITY),
      ordered: numberOf(toThreePlaces(ordered), 'OrderQuantity'),
      ...priceOf(
        row.ContractNetPriceAmount,
        row.NetPriceQuantity,
        row.DocumentCurrency || contract.DocumentCurrency,
        conversions(unitOf(row, 'OrderPriceUnit')),
      ),
    }
  })

/** The value is of all items together, so it is said of each, and no units follow from it. */
function toValueContract(
  row: ContractItemRow,
  contract: ContractRow,
  called: Called,
): RecordOf<'drafts'> | null {
  const currency = currencyOf(contract.DocumentCurrency, 'DocumentCurrency')
  const agreed = unitsOf(contract.PurchaseContractTargetAmount, 'PurchaseContractTargetAmount')
  const ordered = called.valueOf(contract)
  if (ordered instanceof BadValue || agreed <= ordered) return null
  return {
    ...{ ...termsOf(row, contract), quantity: 0, currency },
    ...{ agreedValue: toMoney(agreed), orderedValue: toMoney(ordered) },
  }
}

const termsOf = (row: ContractItemRow, contract: ContractRow) => ({
  document: codeOf(row.PurchaseContract, 'PurchaseContract'),
  line: codeOf(row.PurchaseContractItem, 'PurchaseContractItem'),
  kind: 'contract' as const,
  sku: codeOf(row.Material, 'Material'),
  // One without a plant is of all plants.
  location: row.Plant ?? '',
  due: dayOf(contract.ValidityEndDate, 'ValidityEndDate'),
  createdOn: dayOf(contract.ValidityStartDate, 'ValidityStartDate'),
  supplier: codeOrNull(contract.Supplier, 'Supplier'),
})
