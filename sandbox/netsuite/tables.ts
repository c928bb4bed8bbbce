// A company as NetSuite's records: small ones anew after each change, movements behind those that are there.
import { DAY_MS } from '../clock.ts'
import type { Company } from '../company/company.ts'
import type { Movement } from '../company/ledger.ts'
import type { Agreement, Item, Order, OrderLine, SalesOrder } from '../company/model.ts'
import { isoDay } from '../company/days.ts'
import type { Database } from './database.ts'

/** Transactions are numbered alike: orders first, then documents of movements. */
const FIRST_DOCUMENT = 1_000_000
/** Of all customers' orders and returns that are not open any more. */
const PAST_ORDER = 900_001
const PAST_RETURN = 900_002
const FIRST_AGREEMENT = 500_000
const LINES_OF_DOCUMENT = 50

type Row = Record<string, string | number | null>

export class Tables {
  readonly #company: Company
  readonly #database: Database
  readonly #format: Intl.DateTimeFormat
  readonly #names = new Map<number, string>()
  #movements = 0
  #state = ''

  constructor(company: Company, database: Database, zone: string) {
    this.#company = company
    this.#database = database
    this.#format = new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone: zone, dateStyle: 'short', timeStyle: 'medium' },
    })
  }

  /** Shows what the company is now. */
  refresh(): void {
    const state = stateOf(this.#company)
    if (state === this.#state) return
    this.#state = state
    this.#replace()
    const { ledger } = this.#company
    if (ledger.size > this.#movements) this.#addMovements(this.#movements + 1, ledger.size)
    this.#movements = ledger.size
  }

  #replace(): void {
    const { items, locations, suppliers, pairs, orders, salesOrders, deletions } = this.#company
    const { agreements } = this.#company
    for (const { id, code } of items) this.#names.set(id, code)
    const own = ['item', 'location', 'vendor', 'currency', 'currencyrate', 'unitstypeuom']
    const links = ['itemvendor', 'previoustransactionlinelink']
    for (const table of [...own, ...links, 'aggregateitemlocation', 'deletedrecord']) {
      this.#clear(`DELETE FROM "${table}"`)
    }
    this.#clear(`DELETE FROM "transaction" WHERE id < ${FIRST_DOCUMENT}`)
    this.#clear(`DELETE FROM transactionline WHERE "transaction" < ${FIRST_DOCUMENT}`)
    const into = (table: string, rows: Iterable<Row>) => this.#database.insert(table, rows)
    into(
      'item',
      items.map((item) => this.#item(item)),
    )
    into(
      'location',
      locations.map(({ id, code }) => ({ id, name: code, fullname: code, isinactive: 'F' })),
    )
    into(
      'vendor',
      suppliers.map(({ id, code, name }) => ({
        ...{ id, entityid: code, companyname: name, isinactive: 'F', currency: 1 },
      })),
    )
    into('currency', CURRENCIES)
    into('currencyrate', [this.#rate(1, 3, '.92'), this.#rate(2, 0, '.93')])
    into('unitstypeuom', unitRows(items))
    into('itemvendor', items.map(vendorRow))
    into(
      'aggregateitemlocation',
      pairs.map(({ item, location, onHand }) => ({
        ...{ item: item.id, location: location.id, quantityonhand: onHand, quantityintransit: 0 },
        ...{ quantityavailable: Math.max(0, onHand), leadtime: item.leadTimeDays },
      })),
    )
    into(
      'deletedrecord',
      deletions.map(({ kind, id, at }) => ({
        ...{ recordid: id, type: DELETED_TYPES[kind], deleteddate: this.#instant(at) },
        name: kind === 'item' ? (this.#names.get(id) ?? null) : null,
      })),
    )
    into('transaction', [
      ...orders.map((order) => this.#order(order)),
      ...salesOrders.map((order) => this.#salesOrder(order)),
      ...agreements.map(agreementRow),
      this.#past(PAST_ORDER, 'SalesOrd'),
      this.#past(PAST_RETURN, 'RtnAuth'),
    ])
    into('transactionline', [
      ...orders.flatMap(orderLines),
      ...salesOrders.flatMap(salesLines),
      ...agreements.flatMap(agreementLines),
    ])
    into('previoustransactionlinelink', orders.flatMap(linkRows))
  }

  #clear(sql: string): void {
    try {
      this.#database.execute(sql)
    } catch (error) {
      if (!/no such table/.test(String(error))) throw error
    }
  }

  #instant = (at: number) => this.#format.format(at)

  #rate = (id: number, daysAgo: number, rate: string): Row => ({
    ...{ id, basecurrency: 1, transactioncurrency: 2, exchangerate: rate },
    effectivedate: `${isoDay(this.#company.clock.today() - daysAgo)} 00:00:00`,
  })

  #item = (item: Item): Row => ({
    ...{ id: item.id, itemid: item.code, displayname: item.name, itemtype: 'InvtPart' },
    ...{ isinactive: item.isActive ? 'F' : 'T', unitstype: unitsTypeOf(item) },
    ...{ stockunit: unitsTypeOf(item) * 10, purchaseunit: purchaseUnitOf(item) },
    ...{ averagecost: Number(item.unitCost), cost: Number(priceOf(item)) },
    reordermultiple: item.lotSize > 1 && item.orderUnit === null ? item.lotSize : null,
    ...{
      lastmodifieddate: this.#instant(item.changedAt),
      createddate: this.#instant(item.changedAt),
    },
  })

  #past = (id: number, type: string): Row => ({
    ...{ id, type, tranid: `${type}1`, status: 'G', voided: 'F' },
    ...{ trandate: '2000-01-01 00:00:00', createddate: '2000-01-01 00:00:00' },
    lastmodifieddate: '2000-01-01 00:00:00',
  })

  #order = (order: Order): Row => ({
    ...{ id: order.id, type: 'PurchOrd', tranid: order.number, entity: order.supplier.id },
    currency: 1,
    ...{ status: statusOf(order), voided: 'F', trandate: midnight(order.orderedAt) },
    ...this.#instants(order),
  })

  #salesOrder = (order: SalesOrder): Row => {
    const isBegun = order.lines.some(({ delivered }) => delivered > 0)
    const open = isBegun ? 'D' : 'B'
    return {
      ...{ id: order.id, type: 'SalesOrd', tranid: order.number, voided: 'F' },
      status: order.status === 'open' ? open : order.status === 'done' ? 'G' : 'C',
      trandate: midnight(order.orderedAt),
      ...this.#instants(order),
    }
  }

  #instants = ({ orderedAt, changedAt }: { orderedAt: number; changedAt: number }) => ({
    createddate: this.#instant(orderedAt),
    lastmodifieddate: this.#instant(changedAt),
  })

  #addMovements(first: number, last: number): void {
    const documents: Row[] = []
    const lines: Row[] = []
    const flush = () => {
      this.#database.insert('transaction', documents.splice(0))
      this.#database.insert('transactionline', lines.splice(0))
    }
    for (const group of this.#documents(first, last)) {
      const [{ id: number, kind }] = group as [Movement]
      const id = FIRST_DOCUMENT + number
      const type = typeOf(kind, number)
      const at = this.#instant(group[0]!.at)
      documents.push({
        ...{ id, type, tranid: `${type}${number}`, trandate: midnight(group[0]!.at), voided: 'F' },
        ...{ status: type === 'ItemShip' ? 'C' : 'B', createddate: at, lastmodifieddate: at },
      })
      lines.push({ transaction: id, id: 0, mainline: 'T', taxline: 'F' })
      for (const [at, movement] of group.entries())
        lines.push(...linesOf(id, 2 * at + 1, type, movement))
      if (lines.length > 50_000) flush()
    }
    flush()
  }

  /** Sales of one day and location are one document. */
  *#documents(first: number, last: number): Generator<Movement[]> {
    let day = 0
    let open = new Map<number, Movement[]>()
    for (let id = first; id <= last; id++) {
      const movement = this.#company.ledger.movement(id)
      const itsDay = Math.floor(movement.at / DAY_MS)
      if (itsDay !== day) {
        yield* open.values()
        day = itsDay
        open = new Map()
      }
      if (movement.kind !== 'sale') {
        yield [movement]
        continue
      }
      const place = movement.location.id
      const group = open.get(place) ?? []
      open.set(place, group)
      group.push(movement)
      if (group.length < LINES_OF_DOCUMENT) continue
      yield group
      open.delete(place)
    }
    yield* open.values()
  }
}

const midnight = (at: number) => `${new Date(at).toISOString().slice(0, 10)} 00:00:00`

/** Changes with whatever may be changed. */
function stateOf(company: Company): string {
  const { items, pairs, orders, salesOrders, agreements, deletions, ledger } = company
  let sum = 0
  for (const { changedAt } of items) sum += changedAt % 1e9
  for (const { changedAt } of orders) sum += changedAt % 1e9
  for (const { changedAt } of salesOrders) sum += changedAt % 1e9
  for (const { onHand } of pairs) sum += onHand
  const sizes = [items, pairs, orders, salesOrders, agreements, deletions].map(
    ({ length }) => length,
  )
  return [...sizes, ledger.size, sum].join()
}

const CURRENCIES = [
  { id: 1, name: 'Euro', symbol: 'EUR', isbasecurrency: 'T' },
  { id: 2, name: 'US Dollar', symbol: 'USD', isbasecurrency: 'F' },
]

const DELETED_TYPES = { item: 'inventoryitem', order: 'purchaseorder', salesOrder: 'salesorder' }

/** Units types: 1 pieces, 2 kilograms, 100 and above pieces in cartons of so many. */
const unitsTypeOf = ({ unit, orderUnit }: Item) =>
  orderUnit ? 100 + orderUnit.factor : unit === 'KG' ? 2 : 1

const purchaseUnitOf = (item: Item) => unitsTypeOf(item) * 10 + (item.orderUnit ? 1 : 0)

function unitRows(items: readonly Item[]): Row[] {
  const rows = new Map<number, Row>()
  for (const item of items) {
    const unitstype = unitsTypeOf(item)
    const base = { unitstype, unitname: item.unit, conversionrate: 1, baseunit: 'T' }
    rows.set(unitstype * 10, { internalid: unitstype * 10, ...base })
    if (!item.orderUnit) continue
    const internalid = purchaseUnitOf(item)
    const { code, factor } = item.orderUnit
    const carton = { unitstype, unitname: code, conversionrate: factor, baseunit: 'F' }
    rows.set(internalid, { internalid, ...carton })
  }
  return [...rows.values()]
}

const priceOf = ({ unitCost, orderUnit }: Item) =>
  (Number(unitCost) * (orderUnit?.factor ?? 1)).toFixed(4)

const vendorRow = (item: Item): Row => ({
  ...{ item: item.id, vendor: item.supplier.id, subsidiary: 1, preferredvendor: 'T' },
  purchaseprice: Number(priceOf(item)),
})

const STATUSES = { draft: 'A', done: 'G', cancelled: 'H' } as const

function statusOf({ status, lines }: Order): string {
  if (status !== 'open') return STATUSES[status]
  return lines.some(({ received }) => received > 0) ? 'D' : 'B'
}

/** In some orders the location stands on the main line alone. */
function orderLines({ id, lines }: Order): Row[] {
  const [place] = new Set(lines.map(({ pair }) => pair.location.id))
  const isOnMain = id % 5 === 0 && lines.every(({ pair }) => pair.location.id === place)
  return [
    mainLine(id, isOnMain ? place! : null),
    ...lines.map((line) => ({
      ...{ transaction: id, id: line.number, mainline: 'F', taxline: 'F' },
      ...{ item: line.pair.item.id, location: isOnMain ? null : line.pair.location.id },
      ...{ quantity: line.quantity, quantityshiprecv: line.received },
      ...{ isclosed: line.isClosed ? 'T' : 'F', isinventoryaffecting: 'F' },
      expectedreceiptdate: `${line.due} 00:00:00`,
      foreignamount: amountOf(line),
    })),
  ]
}

const amountOf = ({ pair, quantity, price = pair.item.unitCost, discount = 0 }: OrderLine) =>
  Math.round(quantity * Number(price) * (100 - discount)) / 100

const dateOf = (day: string | null) => day && `${day} 00:00:00`

const agreementRow = ({ id, number, supplier, from, until }: Agreement): Row => ({
  ...{ id: FIRST_AGREEMENT + id, type: 'BlankOrd', tranid: number, entity: supplier.id },
  ...{ startdate: dateOf(from), enddate: dateOf(until), approvalstatus: 2, voided: 'F' },
  lastmodifieddate: '2000-01-01 00:00:00',
})

const agreementLines = ({ id, lines }: Agreement): Row[] => [
  mainLine(FIRST_AGREEMENT + id, null),
  ...lines.map(({ number, item, location, quantity }) => ({
    ...{ transaction: FIRST_AGREEMENT + id, id: number, mainline: 'F', taxline: 'F' },
    ...{ item: item.id, location: location?.id ?? null, quantity, isclosed: 'F' },
  })),
]

/** Each pair of lines is linked twice, as orders are with their bills. */
const linkRows = ({ id, lines }: Order): Row[] =>
  lines.flatMap(({ number, agreement }) =>
    agreement
      ? ['BlankOrd', 'ShipRcpt'].map((linktype) => ({
          ...{ previousdoc: FIRST_AGREEMENT + agreement.id, previousline: agreement.number },
          ...{ previoustype: 'BlankOrd', nextdoc: id, nextline: number, nexttype: 'PurchOrd' },
          linktype,
        }))
      : [],
  )

const salesLines = ({ id, lines }: SalesOrder): Row[] => [
  mainLine(id, null),
  ...lines.map((line) => ({
    ...{ transaction: id, id: line.number, mainline: 'F', taxline: 'F' },
    ...{ item: line.pair.item.id, location: line.pair.location.id },
    ...{ quantity: -line.quantity, quantityshiprecv: line.delivered },
    ...{ isclosed: 'F', isinventoryaffecting: 'F', expectedshipdate: `${line.due} 00:00:00` },
  })),
]

const mainLine = (transaction: number, location: number | null): Row => ({
  ...{ transaction, id: 0, mainline: 'T', taxline: 'F', location },
})

function typeOf(kind: Movement['kind'], number: number): string {
  if (kind === 'adjustment') return 'InvAdjst'
  if (kind !== 'sale') return 'ItemRcpt'
  return number % 4 === 0 ? 'CashSale' : number % 7 === 0 ? 'CustInvc' : 'ItemShip'
}

/** The line of the stock account, and that of the cost of goods sold, which says the same again. */
function linesOf(transaction: number, id: number, type: string, movement: Movement): Row[] {
  const { kind, item, location, quantity, order } = movement
  const origin = kind === 'receipt' ? order : kind === 'return' ? PAST_RETURN : PAST_ORDER
  const line = {
    ...{ transaction, mainline: 'F', taxline: 'F', item: item.id, location: location.id },
    createdfrom: type === 'ItemShip' || type === 'ItemRcpt' ? origin : null,
  }
  return [
    { ...line, id, quantity, isinventoryaffecting: 'T', accountinglinetype: 'ASSET' },
    {
      ...line,
      id: id + 1,
      quantity: -quantity,
      isinventoryaffecting: 'F',
      accountinglinetype: 'COGS',
    },
  ]
}
