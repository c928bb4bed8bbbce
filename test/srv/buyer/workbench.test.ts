// A supplier's order as the page shows it.
import cds from '@sap/cds'
import { Policies, Proposals } from '../../../srv/base/database/entities.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { read } from './odata.ts'

const { DELETE, INSERT, UPDATE } = cds.ql

let shop: Shop
/** With 5.00, 90.00 and 0.00 at risk. */
let ids: number[]
beforeAll(async () => {
  shop = await openShop('workbench', 3)
  ids = [shop.take(), shop.take(), shop.take()]
  for (const [at, risk] of [5, 90, 0].entries()) await setRisk(ids[at]!, risk)
})
afterEach(() => DELETE.from(Policies).where({ supplier: 'S-1' }))

const setRisk = (ID: number, valueAtRisk: number) =>
  UPDATE.entity(Proposals).set({ valueAtRisk, orderBy: '2020-01-01' }).where({ ID })

const rule = (values: object, location = '') =>
  INSERT.into('restock.Policies').entries({
    ...{ level: location ? 'supplier+location' : 'supplier', supplier: 'S-1', location, ...values },
  })

const quoted = (text: string | null) => (text === null ? 'null' : `'${text}'`)

async function order(chosen: string | null = null, location: string | null = null, as = 'buyer') {
  const key = `source=${shop.source},supplier='S-1',location=${quoted(location)},currency='EUR'`
  const { json } = await read(
    `supplierOrder(${key},chosen=${quoted(chosen)})` as 'supplierOrder()',
    {
      as,
    },
  )
  return json
}

const open = async (as = 'buyer') => {
  const { json } = await read('openOrders()', { as })
  return json.value.filter(({ source }) => source === shop.source)
}

it('lists what is open at suppliers, apart where locations order apart', async () => {
  const lines = { supplier: 'S-1', currency: 'EUR', lines: 3, dueLines: 3, valueAtRisk: '95.00' }
  expect(await open()).toMatchObject([{ ...lines, location: null, orderBy: '2020-01-01' }])
  await rule({ minimumOrderValue: '5.00' }, 'L1')
  expect(await open()).toMatchObject([{ ...lines, location: 'L1' }])
})

it('shows the lines, what costs most to wait for first, and what is due as chosen', async () => {
  const [first, second, third] = ids
  const { lines, ...shown } = await order()
  expect(lines.map(({ ID }) => ID)).toEqual([second, first, third])
  expect(lines).toMatchObject(
    [1, 1, 1].map(() => ({ isChosen: true, version: 1, location: 'L1', approval: 'only' })),
  )
  const value = lines.reduce((sum, line) => sum + Number(line.value), 0)
  expect(shown).toMatchObject({ chosen: 3, valueAtRisk: '95.00', leftAtRisk: '0.00', refused: 0 })
  expect(Number(shown.value)).toBeCloseTo(value, 2)
  const none = await order('')
  expect(none).toMatchObject({ chosen: 0, value: '0.00', leftAtRisk: '95.00', total: 3 })
})

it('holds what is chosen against the supplier’s terms, and says what would fill it', async () => {
  const [first, second, third] = ids
  const { lines } = await order()
  const [top, next] = lines.map((line) => Number(line.value))
  await rule({
    ...{ minimumOrderValue: String(top! + 1), orderDays: [1, 4] },
    ...{ freeFreightFrom: '1000000.00', freightCost: '50.00' },
  })
  const { goals, suggestions, ...shown } = await order(`${second}@1`)
  expect(goals).toMatchObject([
    {
      kind: 'minimum_value',
      isReached: false,
      text: expect.stringMatching(/, 1\.00 EUR missing$/),
    },
    { kind: 'free_freight', isReached: false, name: 'Free freight from 1,000,000 EUR' },
  ])
  expect(suggestions).toMatchObject([
    { action: 'add', proposals: String(first) },
    { action: 'add', proposals: `${first},${third}`, text: expect.stringMatching(/Not enough/) },
  ])
  expect(Number(shown.value)).toBeCloseTo(top!, 2)
  expect([shown.nextOrderDay, shown.orderDayAfter].map((day) => new Date(day).getUTCDay())).toEqual(
    expect.arrayContaining([1, 4]),
  )
  expect(next).toBeGreaterThan(0)
})

it('counts another quantity at its price and in proportion', async () => {
  const [, second] = ids
  const whole = (await order(`${second}@1`)).lines[0]!
  const half = Number(whole.quantity) / 2
  const { lines, units } = await order(`${second}@1:${half}`)
  expect(lines[0]).toMatchObject({ quantity: half, proposedQuantity: whole.proposedQuantity })
  expect(Number(lines[0]!.valueAtRisk)).toBeCloseTo(45, 1)
  expect(Number(units)).toBe(half)
})

it('foresees the limits, each line held against those above it', async () => {
  const { lines } = await order()
  const limit = Number(lines[0]!.value) + Number(lines[1]!.value)
  await INSERT.into('restock.RoleLimits').entries({
    role: 'Buyer',
    maxOrderValue: limit.toFixed(2),
  })
  const limited = await order()
  await DELETE.from('restock.RoleLimits').where({ role: 'Buyer' })
  expect(limited.lines.map(({ approval }) => approval)).toEqual(['only', 'only', null])
  expect(limited).toMatchObject({ refused: 1, refusal: expect.stringContaining('EUR') })
})

it('is for reading to who decides nothing, and refuses what is no list of lines', async () => {
  const seen = await order(null, null, 'viewer')
  expect(seen).toMatchObject({ mayDecide: false, refused: 0 })
  expect(seen.lines.map(({ approval }) => approval)).toEqual([null, null, null])
  const key = `source=${shop.source},supplier='S-1',location=null,currency='EUR'`
  const { status } = await read(`supplierOrder(${key},chosen='x')` as 'supplierOrder()')
  expect(status).toBe(400)
})
