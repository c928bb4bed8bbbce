// The rows of a company as the Service Layer writes them.
import { dayOfTime } from '../company/days.ts'
import type { Company } from '../company/company.ts'
import { itemsByCode, pairsByItem } from '../company/indexes.ts'
import type { Movement, MovementKind } from '../company/ledger.ts'
import type { Agreement, Item, Order, Pair, SalesOrder } from '../company/model.ts'
import type { Row } from '../v4/filter.ts'
import { listSet } from '../v4/set.ts'
import type { V4Set } from '../v4/set.ts'
import type { BusinessOneBehaviour } from './behaviour.ts'

const ITEM_FIELDS = [
  ...['ItemCode', 'ItemName', 'ItemsGroupCode', 'InventoryItem', 'PurchaseItem', 'Valid', 'Frozen'],
  ...['InventoryUOM', 'Mainsupplier', 'AvgStdPrice', 'ItemPrices', 'QuantityOnStock', 'LeadTime'],
  ...['MinOrderQuantity', 'OrderMultiple', 'ProcurementMethod', 'ItemWarehouseInfoCollection'],
  ...['PurchaseUnit', 'PurchaseItemsPerUnit', 'SupplierCatalogNo'],
  'UpdateDate',
]
const DOCUMENT_FIELDS = [
  ...['DocEntry', 'DocNum', 'DocDate', 'CardCode', 'DocumentStatus', 'Cancelled', 'CancelStatus'],
  'ReserveInvoice',
  ...['NumAtCard', 'UpdateDate', 'DocumentLines', 'DocObjectCode'],
]

const WAREHOUSE_FIELDS = ['WarehouseCode', 'WarehouseName', 'Inactive', 'DropShip', 'Country']

const AGREEMENT_FIELDS = [
  ...['AgreementNo', 'BPCode', 'StartDate', 'EndDate', 'TerminateDate', 'AgreementMethod'],
  ...['Status', 'IgnorePricesInAgreement', 'BlanketAgreements_ItemsLines'],
]

/** A float that went through a calculation. */
const inexactly = (value: number) => (value === 0 ? 0 : value + (value > 0 ? 1 : -1) * 4e-14)

/** How numbers are written. */
export const floatOf = ({ inexact }: BusinessOneBehaviour): Float =>
  inexact ? inexactly : (value) => value

export function setsOf(company: Company, behaviour: BusinessOneBehaviour): Record<string, V4Set> {
  const sets = setsOfCompany(company, behaviour)
  for (const [name, others] of Object.entries(behaviour.otherDocuments)) {
    const own = sets[name]!
    const more = documentSet(
      () => others as (Row & { id: number })[],
      (row) => row,
      ({ DocEntry }) => Number(DocEntry),
    )
    sets[name] = {
      ...own,
      *rows(bounds) {
        yield* own.rows(bounds)
        yield* more.rows(bounds)
      },
    }
  }
  return sets
}

function setsOfCompany(company: Company, behaviour: BusinessOneBehaviour): Record<string, V4Set> {
  const float = floatOf(behaviour)
  const pairs = pairsByItem(company)
  let orders: Map<number, Order> | null = null
  const draftSet = (name: 'PurchaseRequests' | 'PurchaseQuotations' | 'Drafts') =>
    documentSet(
      () =>
        company.orders.filter(
          ({ id, status }) =>
            status === 'draft' && (behaviour.kinds.get(id) ?? 'PurchaseQuotations') === name,
        ),
      (order) => toDraft(order, name, float, behaviour),
    )
  return {
    Items: listSet(
      ...(['ItemCode', ITEM_FIELDS] as const),
      () => itemsByCode(company),
      ({ code }) => code,
      (item) => toItem(item, pairs.get(item) ?? [], company, behaviour, float),
    ),
    Warehouses: listSet(
      ...(['WarehouseCode', WAREHOUSE_FIELDS] as const),
      () => company.locations,
      ({ code }) => code,
      ({ code, name }) => ({
        ...{ WarehouseCode: code, WarehouseName: name, Inactive: 'tNO', Country: 'DE' },
        DropShip: behaviour.dropShips.has(code) ? 'tYES' : 'tNO',
      }),
    ),
    BusinessPartners: listSet(
      ...(['CardCode', ['CardCode', 'CardName', 'CardType', 'UpdateDate']] as const),
      () => company.suppliers,
      ({ code }) => code,
      ({ code, name }) => ({
        ...{ CardCode: code, CardName: name, CardType: 'cSupplier', UpdateDate: '2020-01-01' },
      }),
    ),
    PurchaseOrders: documentSet(
      () => company.orders,
      (order) => toOrder(order, float, behaviour),
    ),
    PurchaseInvoices: noDocuments(),
    PurchaseReturns: noDocuments(),
    PurchaseCreditNotes: noDocuments(),
    PurchaseRequests: draftSet('PurchaseRequests'),
    PurchaseQuotations: draftSet('PurchaseQuotations'),
    Drafts: draftSet('Drafts'),
    BlanketAgreements: listSet(
      ...(['AgreementNo', AGREEMENT_FIELDS] as const),
      () => [
        ...company.agreements.map((agreement) => toAgreement(agreement, company, float)),
        ...behaviour.otherAgreements,
      ],
      ({ AgreementNo }) => Number(AgreementNo),
      (row) => row,
    ),
    Orders: documentSet(
      () => company.salesOrders,
      (order) => toSalesOrder(order, float),
    ),
    DeliveryNotes: movementSet(company, 'sale', (movement) =>
      behaviour.invoiced.has(movement.id)
        ? null
        : toMovement(movement, float, { CancelStatus: behaviour.cancelled.has(movement.id) }),
    ),
    Invoices: movementSet(company, 'sale', (movement) =>
      // What was delivered is invoiced from its delivery, and moves no stock again.
      toMovement(movement, float, { base: behaviour.invoiced.has(movement.id) ? null : 15 }),
    ),
    Returns: movementSet(company, 'return', (movement) =>
      toMovement(movement, float, { base: 15 }),
    ),
    CreditNotes: movementSet(company, 'return', (movement) =>
      toMovement(movement, float, { base: 16 }),
    ),
    InventoryGenExits: noDocuments(),
    PurchaseDeliveryNotes: movementSet(company, 'receipt', (movement) => {
      orders ??= new Map(company.orders.map((order) => [order.id, order]))
      const order = orders.get(movement.order!)
      const line = order?.lines.find(({ id }) => id === movement.line)
      return toMovement(movement, float, {
        ...{ base: 22, entry: movement.order, line: line ? line.number - 1 : 0 },
        supplier: order?.supplier.code,
      })
    }),
  }
}

type Float = (value: number) => number

const toItem = (
  item: Item,
  pairs: Pair[],
  company: Company,
  { allWarehouses }: BusinessOneBehaviour,
  float: Float,
): Row => ({
  ...{ ItemCode: item.code, ItemName: item.name, ItemsGroupCode: Number(item.group.slice(1)) },
  ...{ InventoryItem: 'tYES', PurchaseItem: 'tYES', Valid: item.isActive ? 'tYES' : 'tNO' },
  ...{ Frozen: item.isActive ? 'tNO' : 'tYES', InventoryUOM: item.unit },
  ...{ Mainsupplier: item.supplier.code, AvgStdPrice: float(Number(item.unitCost)) },
  ItemPrices: [
    { PriceList: 1, Price: float(Number(item.unitCost)), Currency: 'EUR' },
    { PriceList: 2, Price: 0, Currency: null },
  ],
  QuantityOnStock: float(pairs.reduce((sum, { onHand }) => sum + onHand, 0)),
  ...{ LeadTime: item.leadTimeDays, MinOrderQuantity: float(item.moq) },
  ...{ OrderMultiple: float(item.lotSize), ProcurementMethod: 'bom_Buy' },
  ...{ PurchaseUnit: item.orderUnit?.code ?? item.unit, SupplierCatalogNo: null },
  PurchaseItemsPerUnit: float(item.orderUnit?.factor ?? 1),
  ItemWarehouseInfoCollection: (allWarehouses ? company.locations : [])
    .filter((location) => !pairs.some((pair) => pair.location === location))
    .map(({ code }) => ({ WarehouseCode: code, InStock: 0, MinimalOrder: 0 }))
    .concat(
      pairs.map(({ location, onHand }) => ({
        ...{ WarehouseCode: location.code, InStock: float(onHand), MinimalOrder: 0 },
      })),
    ),
  UpdateDate: dayOfTime(item.changedAt),
})

const open = (is: boolean) => (is ? 'bost_Open' : 'bost_Close')

const toOrder = (order: Order, float: Float, { numbers, madeOf }: BusinessOneBehaviour): Row => ({
  ...{ DocEntry: order.id, DocNum: numbers.get(order.id) ?? order.id },
  ...{ DocDate: `${dayOfTime(order.orderedAt)}T00:00:00Z`, CardCode: order.supplier.code },
  NumAtCard: null,
  DocumentStatus: open(order.status === 'open'),
  ...{ Cancelled: order.status === 'cancelled' ? 'tYES' : 'tNO', CancelStatus: 'csNo' },
  UpdateDate: dayOfTime(order.changedAt),
  DocumentLines: order.lines.map(
    ({ number, pair, quantity, received, due, isClosed, agreement, ...line }) => ({
      ...{ LineNum: number - 1, ItemCode: pair.item.code, WarehouseCode: pair.location.code },
      ...{ InventoryQuantity: float(quantity), ShipDate: `${due}T00:00:00Z` },
      ...priceOf(pair.item, quantity, line, float),
      RemainingOpenInventoryQuantity: isClosed ? 0 : float(Math.max(0, quantity - received)),
      ...{ LineStatus: open(!isClosed), ...baseOf(madeOf.get(order.id), number) },
      ...{ AgreementNo: agreement?.id ?? null, AgreementRowNumber: agreement?.number ?? null },
    }),
  ),
})

/** In order units; what has come is added up, and what is on order is not. */
const toAgreement = (agreement: Agreement, company: Company, float: Float): Row => ({
  ...{ AgreementNo: agreement.id, BPCode: agreement.supplier.code, StartDate: agreement.from },
  ...{ EndDate: agreement.until, TerminateDate: null, AgreementMethod: 'amItem' },
  ...{ Status: 'asApproved', IgnorePricesInAgreement: 'tNO' },
  BlanketAgreements_ItemsLines: agreement.lines.map((line) => {
    const factor = line.item.orderUnit?.factor ?? 1
    return {
      ...{ AgreementRowNumber: line.number, ItemNo: line.item.code, UnitsOfMeasurement: factor },
      PlannedQuantity: float(line.quantity / factor),
      CumulativeQuantity: float(company.calledOff(line).received / factor),
      ...{
        UnitPrice: float(Number(line.unitCost) * factor),
        PriceCurrency: 'EUR',
        LineDiscount: 0,
      },
    }
  }),
})

/** Price and quantity are in the order unit. */
function priceOf(
  { unitCost, orderUnit }: Item,
  quantity: number,
  { price = unitCost, discount = 0 }: { price?: string; discount?: number },
  float: Float,
) {
  const factor = orderUnit?.factor ?? 1
  const each = Number(price) * factor
  return {
    ...{ Quantity: float(quantity / factor), UnitPrice: float(each), DiscountPercent: discount },
    ...{ Price: float(each * (1 - discount / 100)), Currency: 'EUR' },
  }
}

const baseOf = (made: { type: number; entry: number } | undefined, number: number) => ({
  ...{ BaseType: made?.type ?? -1, BaseEntry: made?.entry ?? null },
  BaseLine: made ? number - 1 : null,
})

/** Of a purchase request, who supplies stands in the line. */
function toDraft(order: Order, name: string, float: Float, behaviour: BusinessOneBehaviour): Row {
  const row = toOrder(order, float, behaviour)
  const isRequest = name === 'PurchaseRequests'
  const lines = row.DocumentLines as Row[]
  return {
    ...row,
    ...{ DocumentStatus: 'bost_Open', CardCode: isRequest ? null : row.CardCode },
    DocObjectCode: name === 'Drafts' ? 'oPurchaseOrders' : null,
    DocumentLines: lines.map((line) => ({
      ...line,
      ...{ RequiredDate: line.ShipDate, ShipDate: null },
      LineVendor: isRequest ? order.supplier.code : null,
    })),
  }
}

const toSalesOrder = (order: SalesOrder, float: Float): Row => ({
  ...{ DocEntry: order.id, DocNum: order.id, DocDate: dayOfTime(order.orderedAt), CardCode: 'C1' },
  DocumentStatus: open(order.status === 'open'),
  ...{ Cancelled: order.status === 'cancelled' ? 'tYES' : 'tNO', CancelStatus: 'csNo' },
  UpdateDate: dayOfTime(order.changedAt),
  DocumentLines: order.lines.map(({ number, pair, quantity, delivered, due }) => ({
    ...{ LineNum: number - 1, ItemCode: pair.item.code, WarehouseCode: pair.location.code },
    ...{ InventoryQuantity: float(quantity), ShipDate: due },
    RemainingOpenInventoryQuantity: float(Math.max(0, quantity - delivered)),
    ...{ LineStatus: open(delivered < quantity), BaseType: -1, BaseEntry: null, BaseLine: null },
  })),
})

interface Base {
  base?: number | null
  entry?: number | null
  line?: number
  supplier?: string | undefined
  CancelStatus?: boolean
}

/** A document of one line for each movement, with the movement's number. */
function toMovement(movement: Movement, float: Float, of: Base): Row {
  const { id, at, item, location, quantity, reverses } = movement
  const entry = of.entry ?? (of.base === 15 && reverses ? reverses : null)
  const base = of.base === 15 && !reverses && movement.kind === 'return' ? -1 : (of.base ?? -1)
  return {
    ...{ DocEntry: id, DocNum: id, DocDate: dayOfTime(at), CardCode: of.supplier ?? 'C1' },
    ...{ DocumentStatus: 'bost_Close', Cancelled: of.CancelStatus ? 'tYES' : 'tNO' },
    ...{ CancelStatus: of.CancelStatus ? 'csYes' : 'csNo', UpdateDate: dayOfTime(at) },
    DocumentLines: [
      {
        ...{ LineNum: 0, ItemCode: item.code, WarehouseCode: location.code },
        ...{ InventoryQuantity: float(Math.abs(quantity)), ShipDate: null },
        ...{ RemainingOpenInventoryQuantity: 0, LineStatus: 'bost_Close' },
        ...{ BaseType: base, BaseEntry: entry, BaseLine: entry === null ? null : (of.line ?? 0) },
      },
    ],
  }
}

function documentSet<T extends { id: number }>(
  list: () => T[],
  toRow: (each: T) => Row,
  entryOf: (each: T) => number = ({ id }) => id,
): V4Set {
  return listSet('DocEntry', DOCUMENT_FIELDS, list, entryOf, toRow)
}

/** A list of which the company has none; a test adds some. */
const noDocuments = () =>
  documentSet(
    () => [],
    () => ({}),
  )

function movementSet(
  { ledger }: Company,
  kind: MovementKind,
  toRow: (movement: Movement) => Row | null,
): V4Set {
  return {
    ...{ key: 'DocEntry', fields: DOCUMENT_FIELDS },
    *rows({ after, least }) {
      const day = least.get('UpdateDate') ?? least.get('DocDate')
      const first = typeof day === 'string' ? ledger.firstAt(Date.parse(day)) : 1
      for (let id = Math.max(first, Number(after ?? 0) + 1); id <= ledger.size; id++) {
        const movement = ledger.movement(id)
        const row = movement.kind === kind ? toRow(movement) : null
        if (row) yield row
      }
    },
  }
}
