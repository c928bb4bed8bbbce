// What is left of the contracts and drafts of each ERP, by the rows that its adapter gives, against the ledger of the company
// behind it.
import type { Adapter, Connection } from '../../../adapters/adapter.ts'
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { Company } from '../../../sandbox/company/company.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { AgreementLine, Order } from '../../../sandbox/company/model.ts'
import { startNetsuite } from '../../../sandbox/netsuite/index.ts'
import { readLocalDays } from '../../../srv/base/time/days.ts'
import { DraftBook, readDrafts } from '../../../srv/domain/proposals/terms/drafts.ts'
import * as businessCentral from '../../adapters/business-central/support.ts'
import * as businessOne from '../../adapters/business-one/support.ts'
import * as netsuite from '../../adapters/netsuite/support.ts'
import { noise } from '../../engine/forecast/demand.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'

interface Erp {
  adapter: Adapter
  connection: Connection
  /** Tells it of which drafts orders were made; these have the number of their draft. */
  madeOf(orders: readonly Order[]): void
  close(): Promise<void>
}

/** Object type of purchase quotations in Business One. */
const QUOTATION = 540000006

const ERPS: [string, (company: Company) => Promise<Erp>][] = [
  [
    'business-one',
    async (company) => {
      const erp = await startBusinessOne(company)
      return {
        ...{ adapter: businessOne.adapter, connection: businessOne.connectionTo(erp) },
        madeOf(orders) {
          const type = QUOTATION
          erp.set({ madeOf: new Map(orders.map(({ id }) => [id, { type, entry: id }])) })
        },
        close: () => erp.close(),
      }
    },
  ],
  [
    'business-central',
    async (company) => {
      const erp = await startBusinessCentral(company)
      const options = { order_lines_service: 'RestockOrderLines' }
      const connection = businessCentral.connectionTo(erp, options)
      return {
        ...{ adapter: businessCentral.adapter, connection },
        madeOf: (orders) => erp.set({ quotes: new Map(orders.map((one) => [one.id, one.number])) }),
        close: () => erp.close(),
      }
    },
  ],
  [
    'netsuite',
    async (company) => {
      const erp = await startNetsuite(company)
      return {
        ...{ adapter: netsuite.adapter, connection: netsuite.connectionTo(erp) },
        // Once it is approved it is the order itself.
        madeOf: () => {},
        close: () => erp.close(),
      }
    },
  ],
]

/** A contract for some items each, at one location or at all of them, and the orders that call off from it. */
class Ledger {
  readonly company = makeCompany({ size: 100, days: 10 })
  readonly lines: AgreementLine[] = []
  readonly #orders: Order[] = []
  readonly #random = noise(43)

  constructor() {
    const { suppliers, pairs } = this.company
    const pairOf = Map.groupBy(pairs, ({ item }) => item)
    for (const [at, [item, [pair]]] of [...pairOf].entries()) {
      const factor = item.orderUnit?.factor ?? 1
      const quantity = factor * (50 + this.#whole(500))
      const location = at % 2 ? pair!.location : null
      const supplier = suppliers[at % suppliers.length]!
      const terms = [{ item, location, quantity, unitCost: '1' }]
      this.lines.push(...this.company.agree(supplier, terms, { from: '2026-01-01' }).lines)
    }
  }

  #whole = (below: number) => Math.floor(Math.abs(this.#random()) * 1e6) % below

  left(line: AgreementLine): number {
    const { received, open } = this.company.calledOff(line)
    return line.quantity - received - open
  }

  happen(): void {
    const { company } = this
    for (const line of this.lines) {
      const [what, left] = [this.#whole(5), this.left(line)]
      if (what > 1 || left <= 0) continue
      const own = company.pairs.filter(
        ({ item, location }) => item === line.item && location === (line.location ?? location),
      )
      const pair = own[this.#whole(own.length)]!
      const { supplier } = company.agreements[line.id - 1]!
      const quantity = 1 + this.#whole(left)
      const order = company.order(supplier, [{ pair, quantity, dueInDays: 1 + this.#whole(30) }])
      order.lines[0]!.agreement = line
      this.#orders.push(order)
    }
    for (const order of this.#orders)
      for (const line of order.lines) {
        const what = this.#whole(6)
        const open = line.quantity - line.received
        if (line.isClosed || order.status !== 'open') continue
        if (what <= 2) company.receive(order, line, 1 + this.#whole(open))
        // What has not come may be called off again.
        else if (what === 3) company.closeLine(order, line)
      }
  }
}

async function read<K extends RecordKind>({ adapter, connection }: Erp, record: K) {
  const stream = adapter.streams(connection).find((each) => each.record === record)
  const records: RecordOf<K>[] = []
  if (stream)
    for await (const page of stream.read(null, new AbortController().signal)) {
      expect([page.quarantined, page.notes ?? []]).toEqual([[], []])
      records.push(...(page.records as RecordOf<K>[]))
    }
  return records
}

const file = (head: string, rows: unknown[][]) =>
  `${[head, ...rows.map((row) => row.map((cell) => cell ?? '').join())].join('\n')}\n`

const DRAFTS = 'document,line,sku,location,kind,quantity,ordered,due,created_on,supplier'

/** @param between happens after drafts are read, and before orders are */
async function filesOf(erp: Erp, between = () => {}): Promise<Record<string, string>> {
  const drafts = await read(erp, 'drafts')
  between()
  const orders = await read(erp, 'openOrders')
  const receipts = await read(erp, 'receipts')
  return {
    'drafts.csv': file(
      DRAFTS,
      drafts.map((row) => [
        ...[row.document, row.line, row.sku, row.location, row.kind, row.quantity, row.ordered],
        ...[row.due, row.createdOn, row.supplier],
      ]),
    ),
    'open_orders.csv': file(
      'order,line,sku,location,quantity,draft',
      orders.map((row) => [row.document, row.line, row.sku, row.location, row.quantity, row.draft]),
    ),
    'receipts.csv': file(
      'order,line,sku,location,received_on,quantity,draft',
      receipts.map((row) => [
        ...[row.document, row.line, row.sku, row.location, row.receivedOn, row.quantity, row.draft],
      ]),
    ),
  }
}

it.each(ERPS)(
  'leave what was agreed less what was called off: %s',
  async (name, start) => {
    const ledger = new Ledger()
    const erp = await start(ledger.company)
    try {
      const source = await connectFiles(`contracts-${name}`, {
        'demand.csv': steadyDemand(['A']),
        ...(await filesOf(erp)),
      })
      let compared = 0
      for (let moment = 0; moment < 4; moment++) {
        ledger.happen()
        await writeFiles(`contracts-${name}`, await filesOf(erp))
        await sync(source, 'full')
        const rows = await readDrafts(source, await readLocalDays(source))
        const left = new Map(
          rows.filter(({ kind }) => kind === 'contract').map((row) => [row.sku, row.remaining]),
        )
        const wrong = ledger.lines.filter(
          (line) => (left.get(line.item.code) ?? 0) !== ledger.left(line),
        )
        compared += ledger.lines.length
        expect(
          wrong.map((line) => [
            ...[moment, line.item.code, left.get(line.item.code), ledger.left(line)],
            ledger.company.calledOff(line),
          ]),
        ).toEqual([])
      }
      expect(compared).toBeGreaterThan(300)
      const called = ledger.lines.map((line) => ledger.company.calledOff(line))
      expect(
        called.filter(({ received, open }) => received > 0 && open > 0).length,
      ).toBeGreaterThan(10)
    } finally {
      await erp.close()
    }
  },
  300_000,
)

it.each(ERPS)(
  'count once what becomes an order while drafts and orders are read: %s',
  async (name, start) => {
    const company = makeCompany({ size: 100, days: 10 })
    const drafts = company.pairs.map((pair, at) => {
      const supplier = company.suppliers[at % company.suppliers.length]!
      return company.order(supplier, [{ pair, quantity: 10 + at, dueInDays: 9 }])
    })
    for (const draft of drafts) draft.status = 'draft'
    const erp = await start(company)
    const coming = new Map<string, number>()
    for (const { lines } of company.orders.filter(({ status }) => status === 'draft'))
      for (const line of lines) {
        const { pair, quantity } = line
        line.received = 0
        const key = `${pair.item.code}/${pair.location.code}`
        coming.set(key, (coming.get(key) ?? 0) + quantity)
      }
    try {
      const made = drafts.filter((_, at) => at % 2)
      const files = await filesOf(erp, () => {
        for (const order of made) {
          order.status = 'open'
          company.changeLine(order, order.lines[0]!, {})
        }
        erp.madeOf(made)
      })
      const source = await connectFiles(`drafts-${name}`, {
        ...{ 'demand.csv': steadyDemand(['A']), ...files },
      })
      await sync(source)
      const book = await DraftBook.read(source, await readLocalDays(source))
      const wrong = company.pairs.flatMap((pair, at) => {
        const [sku, location] = [pair.item.code, pair.location.code]
        const counted = book
          .counted({ sku, location })
          .reduce((sum, { quantity }) => sum + quantity, 0)
        const left = (coming.get(`${sku}/${location}`) ?? 0) - (at % 2 ? 10 + at : 0)
        return counted === left ? [] : [[sku, location, counted, left]]
      })
      expect(wrong).toEqual([])
      expect(made.length).toBeGreaterThan(50)
    } finally {
      await erp.close()
    }
  },
  120_000,
)
