// Contracts of the ERP from which orders are called off: what is left of each against a plain ledger, and what proposals say of it.
import { parse } from 'csv-parse/sync'
import { readLocalDays } from '../../../srv/base/time/days.ts'
import { readDrafts } from '../../../srv/domain/proposals/terms/drafts.ts'
import { noise } from '../../engine/forecast/demand.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import {
  connectFiles,
  daysAgo,
  serverUrl,
  steadyDemand,
  sync,
  writeFiles,
} from '../../support/server.ts'
import { aKey, get, post } from '../v1/api.ts'

const CONTRACTS =
  'document,line,sku,location,kind,quantity,ordered,due,created_on,supplier,unit_cost'
const ORDERS = 'order,line,sku,location,quantity,draft'
const RECEIPTS = 'order,line,sku,location,received_on,quantity,draft'
const file = (head: string, rows: string[]) => `${[head, ...rows].join('\n')}\n`

/** How an ERP tells what was called off: its orders name the contract, the contract says it, or both do. */
const WAYS = ['named', 'said', 'both'] as const

interface Call {
  number: string
  location: string
  quantity: number
  received: number
  isCancelled: boolean
}

/** One contract and the orders that call off from it: the ledger knows what was agreed and what was called. */
class Agreement {
  readonly sku: string
  readonly way: (typeof WAYS)[number]
  readonly agreed: number
  readonly place: string
  calls: Call[] = []
  readonly #random: () => number

  constructor(at: number, random: () => number) {
    this.sku = `K${at}`
    this.#random = random
    this.way = WAYS[at % WAYS.length]!
    this.agreed = 50 + this.#whole(500)
    this.place = at % 2 ? 'L1' : ''
  }

  #whole = (below: number) => Math.floor(Math.abs(this.#random()) * 1e6) % below

  get called() {
    return this.calls.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  happen() {
    const what = this.#whole(5)
    const left = this.agreed - this.called
    if (what <= 1 && left > 0) {
      const location = this.place || `L${1 + this.#whole(3)}`
      const quantity = 1 + this.#whole(left)
      const number = `O-${this.sku}-${this.calls.length}`
      this.calls.push({ number, location, quantity, received: 0, isCancelled: false })
    } else if (what <= 3)
      for (const call of this.calls)
        if (!call.isCancelled) call.received += this.#whole(call.quantity - call.received + 1)
    // What has not come of an order that is cancelled may be called off again.
    if (what === 4)
      for (const call of this.calls.slice(-1)) {
        call.quantity = call.received
        call.isCancelled = true
      }
  }

  row = () =>
    `C-${this.sku},10,${this.sku},${this.place},contract,${this.agreed},${this.way === 'named' ? '' : this.called},${daysAgo(-90)},${daysAgo(30)},,`

  #name = () => (this.way === 'said' ? '' : `C-${this.sku}/10`)

  openRows = () =>
    this.calls
      .filter(({ quantity, received }) => quantity > received)
      .map(
        ({ number, location, quantity, received }) =>
          `${number},10,${this.sku},${location},${quantity - received},${this.#name()}`,
      )

  receiptRows = () =>
    this.calls
      .filter(({ received }) => received > 0)
      .map(
        ({ number, location, received }) =>
          `${number},10,${this.sku},${location},${daysAgo(1)},${received},${this.#name()}`,
      )
}

describe('300 random histories', () => {
  const random = noise(41)
  const agreements = Array.from({ length: 300 }, (_, at) => new Agreement(at, random))
  const contracts = () => ({
    'drafts.csv': file(
      CONTRACTS,
      agreements.map((each) => each.row()),
    ),
  })
  const orders = () => ({
    'open_orders.csv': file(
      ORDERS,
      agreements.flatMap((each) => each.openRows()),
    ),
    'receipts.csv': file(
      RECEIPTS,
      agreements.flatMap((each) => each.receiptRows()),
    ),
  })

  it('leave what was agreed less what was called off', async () => {
    const source = await connectFiles('agreements', {
      'demand.csv': steadyDemand(agreements.slice(0, 3).map(({ sku }) => sku)),
      ...contracts(),
      ...orders(),
    })
    let compared = 0
    for (let moment = 0; moment < 6; moment++) {
      const early = contracts()
      const before = new Map(agreements.map(({ sku, called }) => [sku, called]))
      agreements.forEach((each) => each.happen())
      // Where contracts were read a moment before the orders, what was called off in between is in the orders alone.
      const isTorn = moment % 2 === 1
      await writeFiles('agreements', { ...(isTorn ? early : contracts()), ...orders() })
      await sync(source, 'full')
      const rows = await readDrafts(source, await readLocalDays(source))
      const left = new Map(rows.map(({ sku, remaining }) => [sku, remaining]))
      const wrong = agreements.filter(({ sku, way, agreed, called }) => {
        const seen = before.get(sku)!
        // Of a torn read a contract that alone says what was called off is of before; what was cancelled is seen later.
        if (isTorn && (way === 'said' || (way === 'both' && called < seen))) return false
        compared++
        return (left.get(sku) ?? 0) !== agreed - called
      })
      expect(wrong.map(({ sku, way, agreed, calls }) => [moment, sku, way, agreed, calls])).toEqual(
        [],
      )
    }
    expect(compared).toBeGreaterThan(1_400)
    expect(agreements.filter(({ calls }) => calls.length > 1).length).toBeGreaterThan(100)
  }, 300_000)
})

describe('a proposal', () => {
  const PLANNING =
    'sku,location,lead_time_days,supplier,unit_cost,currency,order_unit,units_per_order_unit,lot_size\n'
  const contractRow = (number: string, agreed: number, ordered: number, more = '') =>
    `${number},10,A,,contract,${agreed},${ordered},${daysAgo(-60)},${daysAgo(more ? 90 : 30)},S-1,1.75`
  let source: number
  const shown = async (id: string) => (await get(`/proposals/${id}` as '/proposals/prop_1')).json
  const ofA = async (status: string) =>
    (await get(`/proposals?sku=A&status=${status}`)).json.data.sort((a, b) =>
      a.location < b.location ? -1 : 1,
    )

  it('says what its contract has left, and what is more than that', async () => {
    const [, ...there] = steadyDemand(['A'], { quantity: 10, location: 'L2' }).split('\n')
    source = await connectFiles('contract', {
      'demand.csv': steadyDemand(['A'], { quantity: 10 }) + there.join('\n'),
      'stock.csv': file('sku,location,on_hand', ['A,L1,20', 'A,L2,20']),
      'planning.csv': `${PLANNING}A,L1,7,S-1,2.00,EUR,CAR,2,2\nA,L2,7,S-1,2.00,EUR,CAR,2,2\n`,
    })
    await sync(source)
    const [one, two] = await ofA('pending')
    expect([one!.contract, two!.contract]).toEqual([null, null])
    const [first, second] = [one!, two!].sort(
      (a, b) => Number(a.id.slice(5)) - Number(b.id.slice(5)),
    )
    const room = first!.quantity + 6
    const rows = [contractRow('C-1', room + 40, 40), contractRow('C-0', 80, 80, 'older')]
    await writeFiles('contract', { 'drafts.csv': file(CONTRACTS, rows) })
    await sync(source, 'full')
    const common = {
      document: 'C-1',
      line: '10',
      valid_until: daysAgo(-60),
      unit_cost: '1.75',
      currency: null,
    }
    expect(await shown(first!.id)).toMatchObject({
      quantity: first!.quantity,
      contract: {
        ...common,
        quantity: room + 40,
        remaining: room,
        called: first!.quantity,
        over: 0,
      },
    })
    const over = second!.quantity - 6
    expect((await shown(second!.id)).contract).toEqual({
      ...{ ...common, quantity: room + 40, remaining: 6, called: 6, over },
    })
    // What is approved takes first, though it is the newer proposal.
    await approve(Number(second!.id.slice(5)))
    const afterwards = [(await shown(first!.id)).contract, (await shown(second!.id)).contract]
    expect(afterwards).toMatchObject([{ remaining: room - second!.quantity }, { remaining: room }])
    // The app says the same in words.
    const answer = await fetch(
      `${serverUrl()}/odata/v4/buyer/Proposals(${second!.id.slice(5)})?$select=contract`,
      { headers: { Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}` } },
    )
    const { contract } = (await answer.json()) as { contract: string }
    expect(contract).toMatch(
      new RegExp(`^C-1/10 · ${room} of ${room + 40} left · until .+ · 1.75 EUR a unit$`),
    )
  })

  it('is handed over with the number and the price of its contract', async () => {
    const [taken] = await ofA('approved')
    const { json } = await post('/handovers', { proposal_ids: [taken!.id] })
    const response = await fetch(`${serverUrl()}${json.data[0]!.file_url}`, {
      headers: { Authorization: `Bearer ${await aKey()}` },
    })
    const [row] = parse<Record<string, string>>(await response.text(), { columns: true })
    expect(row).toMatchObject({ contract: 'C-1', contract_line: '10', over_contract: '0' })
    // A carton of two at 1.75 each, and not at the usual 2.00.
    expect(row).toMatchObject({ order_unit: 'CAR', order_price: '3.5' })
  })

  it('is in what the contract has left once the ERP has its order, and not twice', async () => {
    const [taken] = await ofA('approved')
    const [other] = await ofA('pending')
    const before = (await shown(other!.id)).contract!.remaining
    const { id, quantity, location } = taken!
    const order = `4500,10,A,${location},${quantity},${id},C-1/10,1.75`
    await writeFiles('contract', {
      'open_orders.csv': file('order,line,sku,location,quantity,reference,draft,unit_cost', [
        order,
      ]),
    })
    await sync(source, 'full')
    expect(await shown(id)).toMatchObject({ status: 'ordered', contract: null })
    const [now] = await ofA('pending')
    const agreed = now!.contract!.quantity
    // The order names the contract, and 40 of it were called off before the orders that Restock reads.
    expect(now!.contract!.remaining).toBe(agreed - Math.max(40, quantity))
    expect(before).toBe(agreed - 40 - quantity)
    const rows = [contractRow('C-1', agreed, 40 + quantity), contractRow('C-0', 80, 80, 'older')]
    await writeFiles('contract', { 'drafts.csv': file(CONTRACTS, rows) })
    await sync(source, 'full')
    expect((await shown(now!.id)).contract!.remaining).toBe(before)
    // The order is as it was handed over, at the price of the contract.
    expect((await get('/exceptions?kind=order_differs')).json.data).toEqual([])
  })

  it('says what is left of a contract over money, which bounds no quantity, and only where no other holds', async () => {
    const [open] = await ofA('pending')
    const { quantity, location, contract } = await shown(open!.id)
    const head = `${CONTRACTS},currency,agreed_value,ordered_value`
    const overMoney = (number: string, rest: string) =>
      `${number},10,A,,contract,0,,${daysAgo(-60)},${daysAgo(40)},${rest}`
    const money = [
      overMoney('V-0', 'S-1,,EUR,900,900'),
      overMoney('V-1', 'S-1,,EUR,50000,37600.5'),
      overMoney('V-2', 'S-2,,EUR,100,'),
    ]
    const units = `${contractRow('C-1', contract!.quantity, 40)},,,`
    await writeFiles('contract', { 'drafts.csv': file(head, [...money, units]) })
    await sync(source, 'full')
    expect(await shown(open!.id)).toMatchObject({
      ...{ quantity, contract: { document: 'C-1' }, value_contract: null },
    })
    await writeFiles('contract', { 'drafts.csv': file(head, money) })
    await sync(source, 'full')
    const { json } = await get('/drafts?sku=A&kind=contract')
    expect(json.data).toMatchObject([
      {
        ...{ document: 'V-1', quantity: 0, remaining: 0, standing: 'contract' },
        ...{ agreed_value: '50000.00', remaining_value: '12399.50', currency: 'EUR' },
      },
      { document: 'V-2', agreed_value: '100.00', remaining_value: '100.00' },
    ])
    const [now] = (await ofA('pending')).filter((each) => each.location === location)
    expect(await shown(now!.id)).toMatchObject({
      ...{ quantity, contract: null },
      value_contract: {
        ...{ document: 'V-1', line: '10', valid_until: daysAgo(-60), currency: 'EUR' },
        ...{ agreed_value: '50000.00', remaining_value: '12399.50' },
      },
    })
    const answer = await fetch(
      `${serverUrl()}/odata/v4/buyer/Proposals(${now!.id.slice(5)})?$select=contract`,
      { headers: { Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}` } },
    )
    const { contract: text } = (await answer.json()) as { contract: string }
    expect(text).toMatch(/^V-1\/10 · 12,399\.50 of 50,000\.00 EUR left · until .+$/)
    await writeFiles('contract', {
      'drafts.csv': file(CONTRACTS, [contractRow('C-1', contract!.quantity, 40)]),
    })
    await sync(source, 'full')
  })

  it('that is cancelled gives back what it took', async () => {
    const [open] = await ofA('pending')
    const ID = Number(open!.id.slice(5))
    const { remaining } = (await shown(open!.id)).contract!
    await approve(ID)
    await proposalsAs({ id: 'approver' }, 'cancel', { ID, reason: 'not_needed' })
    expect((await shown(open!.id)).contract).toBeNull()
    const { json } = await get('/drafts?sku=A&kind=contract')
    expect(json.data).toMatchObject([{ document: 'C-1', remaining, unit_cost: '1.75' }])
  })
})
