// Limits and amounts in several currencies.
import cds from '@sap/cds'
import { AuditLog, Proposals } from '../../../srv/base/database/entities.ts'
import * as authority from '../../../srv/domain/authority/index.ts'
import * as money from '../../../srv/domain/money/index.ts'
import { approve } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { act, call as admin, rows } from '../admin/admin.ts'
import { decide } from '../buyer/odata.ts'
import { aKey, call, get } from '../v1/api.ts'
import {
  byAdmin,
  forgetApprovals,
  type Lines,
  openLines,
  setCurrency,
  setRate,
} from './supplier.ts'

const { SELECT, DELETE } = cds.ql

let lines: Lines
beforeAll(async () => {
  lines = await openLines('currencies', 40)
})
afterEach(async () => {
  changeSettings({ currency: 'EUR', secondApproverAbove: null })
  await byAdmin(() => authority.clearUserLimit('buyer'))
  for (const { fromCurrency, toCurrency, validFrom, source } of await rows('ExchangeRates')) {
    if (source) continue
    const key = { fromCurrency, toCurrency, validFrom, source } as money.RateKey
    await byAdmin(() => money.removeRate(key))
  }
  await forgetApprovals()
})

const buyer = { id: 'buyer' }
const exceeded = { code: 'approval_limit_exceeded' }
/** A line of 9,999.00 in this currency. */
async function lineIn(currency: string | null) {
  const ID = lines.take()
  await setCurrency(ID, currency)
  return ID
}

it('9,999 in a dearer currency are more than a limit of 10,000', async () => {
  await setRate('KWD', 'EUR', '3.05')
  await expect(approve(await lineIn('KWD'), {}, buyer)).rejects.toThrow(
    'The order is worth 9,999.00 KWD (30,496.95 EUR); your limit is 10,000.00 EUR.',
  )
  await setRate('JPY', 'EUR', '0.006')
  expect(await approve(await lineIn('JPY'), { quantity: 1000 }, buyer)).toMatchObject({
    ...{ status: 'approved', currency: 'JPY', value: '99990.00' },
  })
})

it('without a rate the line needs somebody without a limit, and the refusal names both currencies', async () => {
  const ID = await lineIn('USD')
  await expect(approve(ID, {}, buyer)).rejects.toThrow(
    'There is no exchange rate from USD to EUR, the currency of your limit: somebody without a limit must approve this order.',
  )
  const key = await aKey({ actsAs: 'approver', maxOrderValue: '9000000.00' })
  const byKey = await call('POST', `/proposals/prop_${ID}/approve`, { key })
  expect(byKey.error).toMatchObject({ ...exceeded, message: expect.stringMatching(/USD.*EUR/) })
  const german = { headers: { 'Accept-Language': 'de' } }
  const { status, text } = await decide(ID, 'approve', {}, german)
  expect([status, text]).toEqual([
    403,
    expect.stringContaining('keinen Wechselkurs von USD nach EUR'),
  ])
  expect(await approve(ID)).toMatchObject({ status: 'approved', decidedBy: 'approver' })
})

it('lines worth an amount and more are found by what they are worth in the account’s currency', async () => {
  const [yen, euro, dollar] = [await lineIn('JPY'), await lineIn('EUR'), await lineIn('USD')]
  const those = { [yen]: 'JPY', [euro]: 'EUR', [dollar]: 'USD' }
  const found = async (least: string) => {
    const { json } = await get(`/proposals?status=pending&limit=200&min_value=${least}`)
    const rows = json.data as { id: string }[]
    return rows.flatMap(({ id }) => those[Number(id.slice('prop_'.length))] ?? []).sort()
  }
  expect(await found('9999.00')).toEqual(['EUR', 'JPY', 'USD'])
  await setRate('JPY', 'EUR', '0.006')
  // 59.994 EUR; what no rate leads from counts as it stands.
  expect(await found('59.99')).toEqual(['EUR', 'JPY', 'USD'])
  expect(await found('60.00')).toEqual(['EUR', 'USD'])
  await setRate('EUR', 'USD', '1.25')
  expect(await found('7999.20')).toEqual(['EUR', 'USD'])
  expect(await found('7999.21')).toEqual(['EUR'])
})

it('no rate: a second person must agree where there is a threshold', async () => {
  changeSettings({ secondApproverAbove: '90000.00' })
  expect(await approve(await lineIn('USD'))).toMatchObject({ status: 'awaiting_second_approval' })
  expect(await approve(await lineIn('EUR'))).toMatchObject({ status: 'approved' })
})

it('limits carry a currency: of a person, a role, a key and the threshold', async () => {
  await setRate('USD', 'EUR', '0.5')
  const limit = { maxOrderValue: '10000.00', currency: 'USD' }
  await byAdmin(() => authority.setUserLimit({ user: 'buyer', ...limit }))
  await expect(approve(await lineIn('EUR'), {}, buyer)).rejects.toThrow(
    'The order is worth 9,999.00 EUR (19,998.00 USD); your limit is 10,000.00 USD.',
  )
  await byAdmin(() => authority.clearUserLimit('buyer'))
  await byAdmin(() => authority.setRoleLimit({ role: 'Buyer', ...limit }))
  await expect(approve(await lineIn('EUR'), {}, buyer)).rejects.toThrow('limit is 10,000.00 USD')
  await byAdmin(() => authority.clearRoleLimit('Buyer'))
  const key = await aKey({ actsAs: 'approver', maxOrderValue: '10000.00', currency: 'USD' })
  const byKey = await call('POST', `/proposals/prop_${await lineIn('EUR')}/approve`, { key })
  expect(byKey.error).toMatchObject({
    ...{ ...exceeded, message: expect.stringContaining('your limit is 10,000.00 USD') },
  })
  changeSettings({ secondApproverAbove: '10000.00 USD' })
  expect(await approve(await lineIn('EUR'))).toMatchObject({ status: 'awaiting_second_approval' })
})

it('amounts of a day in several currencies are added up', async () => {
  await setRate('USD', 'EUR', '0.5')
  const wish = { user: 'buyer', maxOrderValue: '14998.50' }
  await byAdmin(() => authority.setUserLimit(wish))
  await approve(await lineIn('USD'), {}, buyer)
  await approve(await lineIn('EUR'), {}, buyer)
  await expect(approve(await lineIn('USD'), {}, buyer)).rejects.toThrow(
    'would come to 19,998.00 EUR; your limit is 14,998.50 EUR',
  )
})

it('an amount without a currency is in the account’s', async () => {
  changeSettings({ currency: 'USD' })
  expect(await approve(await lineIn(null), {}, buyer)).toMatchObject({ status: 'approved' })
  await forgetApprovals()
  await expect(approve(await lineIn('EUR'), {}, buyer)).rejects.toThrow('from EUR to USD')
})

it('the latest rate valid today counts', async () => {
  await setRate('USD', 'EUR', '9', daysAgo(30))
  await setRate('USD', 'EUR', '1', daysAgo(1))
  await setRate('USD', 'EUR', '8', daysAgo(-1))
  expect(await approve(await lineIn('USD'), {}, buyer)).toMatchObject({ status: 'approved' })
})

it('rates are entered by administrators, and that is written down', async () => {
  const entered = { fromCurrency: 'USD', toCurrency: 'EUR', rate: 0.92, validFrom: '2026-01-01' }
  expect((await act('ExchangeRates/setRate', entered)).json).toMatchObject({
    ...{ ...entered, rate: '0.92', source: 0, changedBy: 'admin' },
  })
  await act('ExchangeRates/setRate', { ...entered, rate: 0.00005 })
  expect(await rows('ExchangeRates')).toMatchObject([{ rate: '0.00005', number: null }])
  for (const [bad, target] of [
    [{ fromCurrency: 'usd' }, 'fromCurrency'],
    [{ toCurrency: 'USD' }, 'toCurrency'],
    [{ rate: 0 }, 'rate'],
    [{ rate: -1 }, 'rate'],
  ] as const) {
    const { status, text } = await act('ExchangeRates/setRate', { ...entered, ...bad })
    expect([status, text]).toEqual([400, expect.stringContaining(target)])
  }
  const path = `ExchangeRates(fromCurrency='USD',toCurrency='EUR',validFrom=2026-01-01,source=0)`
  expect((await admin('DELETE', path)).status).toBe(204)
  expect(await rows('ExchangeRates')).toEqual([])
  const acts = await SELECT.from(AuditLog).where({ object: 'rate:USD/EUR' })
  expect(acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['rate.set', 'rate.removed']),
  )
})

it('rates are not entered by somebody who approves: they decide how far a limit reaches', async () => {
  const given = { fromCurrency: 'USD', toCurrency: 'EUR', rate: '0.01' }
  for (const [roles, code] of [
    [['Admin', 'Buyer'], 'four_eyes_required'],
    [['Buyer'], 'insufficient_scope'],
  ] as const) {
    const user = new cds.User({ id: 'ada', roles: [...roles], attr: {} })
    const set = cds.tx({ user } as never, () => money.setRate(given))
    await expect(set).rejects.toMatchObject({ code })
  }
})

it('exchange_rates.csv brings rates; what an administrator enters for the day stands before them', async () => {
  const file = (...rows: string[]) =>
    writeFiles('currencies', {
      'exchange_rates.csv': ['from,to,rate,valid_from', ...rows].join('\n'),
    })
  await file(`USD,EUR,0.5,${daysAgo(3)}`, `USD,EUR,3,${daysAgo(2)}`, `GBP,EUR,x,${daysAgo(2)}`)
  const { issues } = await sync(lines.source)
  expect(issues).toMatchObject([{ stream: 'exchangeRates', code: 'invalid_value' }])
  await expect(approve(await lineIn('USD'), {}, buyer)).rejects.toThrow('29,997.00 EUR')
  await setRate('USD', 'EUR', '1', daysAgo(2))
  expect(await approve(await lineIn('USD'), {}, buyer)).toMatchObject({ status: 'approved' })
  await forgetApprovals()
  const key = { fromCurrency: 'USD', toCurrency: 'EUR', validFrom: daysAgo(2), source: 0 }
  await byAdmin(() => money.removeRate(key))
  // The row of one day alone is gone.
  await file(`USD,EUR,0.5,${daysAgo(3)}`)
  expect(await sync(lines.source)).toMatchObject({ status: 'succeeded', deleted: 1 })
  expect(await approve(await lineIn('USD'), {}, buyer)).toMatchObject({ status: 'approved' })
  const { status, text } = await admin(
    'DELETE',
    `ExchangeRates(fromCurrency='USD',toCurrency='EUR',validFrom=${daysAgo(3)},source=${lines.source})`,
  )
  expect([status, text]).toEqual([400, expect.stringContaining('source')])
  await writeFiles('currencies', { 'exchange_rates.csv': 'from,to,rate,valid_from\n' })
  await sync(lines.source)
  expect(await SELECT.from(Proposals).where({ source_ID: lines.source })).toHaveLength(40)
  await DELETE.from('restock.ExchangeRates')
})

it('a cost without a currency is in that of the other file', async () => {
  const skus = ['cost-1', 'cost-2', 'cost-3']
  const source = await connectFiles('two-files', {
    'demand.csv': steadyDemand(skus),
    'stock.csv': `sku,location,on_hand\n${skus.map((sku) => `${sku},L1,0\n`).join('')}`,
    'planning.csv':
      'sku,location,lead_time_days,unit_cost,currency\ncost-1,L1,7,2,\ncost-2,L1,7,,USD\ncost-3,L1,7,4,USD\n',
    'items.csv': 'sku,unit_cost,currency\ncost-1,,EUR\ncost-2,3,\ncost-3,5,EUR\n',
  })
  await sync(source)
  const found = await SELECT.from(Proposals)
    .columns('unitCost', 'currency')
    .where({ source_ID: source })
    .orderBy('sku')
  expect(found.map(({ unitCost, currency }) => [Number(unitCost), currency])).toEqual([
    [2, 'EUR'],
    [3, 'USD'],
    [4, 'USD'],
  ])
})
