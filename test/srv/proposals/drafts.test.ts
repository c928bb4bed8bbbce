// Drafts of the ERP that become orders, are split, cancelled or forgotten, against a plain ledger.
import { CurrentOpenOrders } from '../../../srv/base/database/entities.ts'
import { readLocalDays } from '../../../srv/base/time/days.ts'
import { DraftBook, readDrafts } from '../../../srv/domain/proposals/terms/drafts.ts'
import { noise } from '../../engine/forecast/demand.ts'
import { approve } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'
import { get } from '../v1/api.ts'
import cds from '@sap/cds'

const { SELECT } = cds.ql

const HISTORIES = 1_000
/** How an ERP keeps a draft that has become an order: as it was, with what was ordered, not at all; or it is the order itself. */
const WAYS = ['stays', 'says', 'goes', 'same'] as const

interface Order {
  number: string
  quantity: number
  received: number
  names: string | null
}

/** One draft and what becomes of it: the ledger knows each unit as asked for, ordered, received or cancelled. */
class History {
  readonly sku: string
  readonly way: (typeof WAYS)[number]
  readonly asked: number
  readonly age: number
  cancelled = false
  orders: Order[] = []
  readonly #random: () => number

  constructor(at: number, random: () => number) {
    this.sku = `D${at}`
    this.#random = random
    this.way = WAYS[at % WAYS.length]!
    this.asked = 1 + this.#whole(200)
    this.age = this.#whole(60)
  }

  #whole = (below: number) => Math.floor(Math.abs(this.#random()) * 1e6) % below

  get ordered() {
    return this.orders.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  get open() {
    return this.orders.reduce((sum, { quantity, received }) => sum + quantity - received, 0)
  }

  /** Asked for, not ordered and not withdrawn. */
  get left() {
    return this.cancelled ? 0 : this.asked - this.ordered
  }

  happen() {
    const what = this.#whole(6)
    if (what === 0) this.cancelled = true
    else if (what <= 2 && this.left > 0)
      this.#order(this.way === 'same' || this.#whole(2) ? this.left : 1 + this.#whole(this.left))
    else if (what <= 4)
      for (const order of this.orders)
        order.received += this.#whole(order.quantity - order.received + 1)
  }

  #order(quantity: number) {
    const number = this.way === 'same' ? `R-${this.sku}` : `O-${this.sku}-${this.orders.length}`
    const names = this.way === 'same' ? null : this.#whole(2) ? `R-${this.sku}/10` : `R-${this.sku}`
    this.orders.push({ number, quantity, received: 0, names })
  }

  draftRow(): string[] {
    const isGone =
      this.cancelled || (this.left === 0 && this.way !== 'stays' && this.way !== 'says')
    const ordered = this.way === 'says' ? this.ordered : ''
    const rest = this.way === 'goes' ? this.left : this.asked
    // What goes in parts keeps what is left, and its orders name it no more.
    return isGone
      ? []
      : [
          `R-${this.sku},10,${this.sku},L1,requisition,${this.way === 'goes' ? rest : this.asked},${ordered},,${daysAgo(this.age)}`,
        ]
  }

  orderRows = () =>
    this.orders
      .filter(({ quantity, received }) => received < quantity)
      .map(
        ({ number, quantity, received, names }) =>
          `${number},10,${this.sku},L1,${quantity - received},${this.way === 'goes' ? '' : (names ?? '')}`,
      )

  receiptRows = () =>
    this.orders
      .filter(({ received }) => received > 0)
      .map(
        ({ number, received, names }) =>
          `${number},10,${this.sku},L1,${daysAgo(1)},${received},${this.way === 'goes' ? '' : (names ?? '')}`,
      )
}

const DRAFTS = 'document,line,sku,location,kind,quantity,ordered,due,created_on'
const ORDERS = 'order,line,sku,location,quantity,draft'
const RECEIPTS = 'order,line,sku,location,received_on,quantity,draft'
const file = (head: string, rows: string[]) => `${[head, ...rows].join('\n')}\n`

describe('random histories', () => {
  const random = noise(37)
  const all = Array.from({ length: HISTORIES }, (_, at) => new History(at, random))
  // A number without a divisor of theirs: each of the ways comes in its turn.
  const histories = someOf(all, 7)
  const drafts = () => ({
    'drafts.csv': file(
      DRAFTS,
      histories.flatMap((each) => each.draftRow()),
    ),
  })
  const orders = () => ({
    'open_orders.csv': file(
      ORDERS,
      histories.flatMap((each) => each.orderRows()),
    ),
    'receipts.csv': file(
      RECEIPTS,
      histories.flatMap((each) => each.receiptRows()),
    ),
  })

  it('are never counted twice, and nothing is missing', async () => {
    const source = await connectFiles('drafts', {
      'demand.csv': steadyDemand(histories.slice(0, 3).map(({ sku }) => sku)),
      ...drafts(),
      ...orders(),
    })
    let compared = 0
    for (let moment = 0; moment < 6; moment++) {
      const early = drafts()
      histories.forEach((each) => each.happen())
      // Where the drafts were read a moment before the orders, what was ordered in between is in both.
      const isTorn = moment % 2 === 1
      const torn = new Map(histories.map(({ sku, cancelled }) => [sku, cancelled]))
      await writeFiles('drafts', { ...(isTorn ? early : drafts()), ...orders() })
      await sync(source, 'full')
      const book = await DraftBook.read(source, await readLocalDays(source))
      const rows = await SELECT.from(CurrentOpenOrders).where({ source_ID: source })
      const open = Map.groupBy(rows, (row) => String(row.sku))
      const wrong = histories.filter((history) => {
        const { sku, age, left, way } = history
        // Of a torn read a withdrawal is seen later, and so is what another order took of a draft that names none.
        if (isTorn && (torn.get(sku) || way === 'goes')) return false
        const coming = (open.get(sku) ?? []).reduce((sum, row) => sum + Number(row.quantity), 0)
        const counted = book
          .counted({ sku, location: 'L1' })
          .reduce((sum, { quantity }) => sum + quantity, 0)
        compared++
        return coming !== history.open || counted !== (age < 30 ? left : 0)
      })
      expect(
        wrong.map(({ sku, way, asked, orders: own }) => [moment, sku, way, asked, own]),
      ).toEqual([])
    }
    expect(compared).toBeGreaterThan(4 * histories.length)
    const kinds = histories.map(({ left, ordered, cancelled }) => [
      left > 0,
      ordered > 0,
      cancelled,
    ])
    expect(new Set(kinds.map(String)).size).toBeGreaterThanOrEqual(5)
  }, 300_000)
})

describe('a draft', () => {
  it('takes as much off the proposal, and what an approved proposal became counts once', async () => {
    const base = {
      'demand.csv': steadyDemand(['A'], { quantity: 10 }),
      'stock.csv': 'sku,location,on_hand\nA,L1,20\n',
      'planning.csv': 'sku,location,lead_time_days,supplier\nA,L1,7,S-1\n',
    }
    const row = (reference: string, quantity: number) =>
      file(`${DRAFTS},supplier,reference`, [
        `R-1,10,A,L1,requisition,${quantity},,,${daysAgo(3)},S-1,${reference}`,
        `C-1,10,A,,contract,500,,${daysAgo(-100)},,S-1,`,
      ])
    const source = await connectFiles('draft', base)
    await sync(source)
    const proposalOf = async (status: string) =>
      (await get(`/proposals?sku=A&status=${status}`)).json.data[0]
    const plain = (await proposalOf('pending'))!
    await writeFiles('draft', { 'drafts.csv': row('', 50) })
    await sync(source, 'full')
    const less = (await proposalOf('pending'))!
    expect(less.quantity).toBe(plain.quantity - 50)
    expect(less.calculation).toMatchObject({ drafts: 50 })
    expect(less.calculation.drivers).toContain('drafts')
    expect(less.rationale).toContain('50 in drafts of the ERP')
    const contract = { kind: 'contract', remaining: 500, standing: 'contract', location: null }
    expect((await get('/drafts?sku=A')).json.data).toMatchObject([
      contract,
      { document: 'R-1', kind: 'requisition', remaining: 50, age_days: 3, standing: 'counted' },
    ])
    // The buyer approves, and it is a requisition that names the proposal.
    const ID = Number(less.id.slice('prop_'.length))
    await approve(ID)
    await writeFiles('draft', { 'drafts.csv': row(less.id, less.quantity) })
    await sync(source, 'full')
    const [, draft] = await readDrafts(source, await readLocalDays(source))
    expect(draft).toMatchObject({ standing: 'in_proposal', remaining: less.quantity })
    const after = await proposalOf('pending')
    expect(after?.calculation.drafts ?? 0).toBe(0)
  })
})
