// Which lines get a look of their own: small ones are one row by supplier, and what needs thought is marked.
import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { odata, read } from './odata.ts'

const { UPDATE } = cds.ql

let shop: Shop
let ids: number[]
beforeAll(async () => {
  shop = await openShop('attention', 4)
  ids = [shop.take(), shop.take(), shop.take(), shop.take()]
  const set = (at: number, values: object) =>
    UPDATE.entity(Proposals)
      .set({ orderBy: '2020-01-01', ...values })
      .where({ ID: ids[at]! })
  // Small, small, dear to wait for, and little to wait for but much money that is uncertain.
  await set(0, { valueAtRisk: 1.2, value: 60 })
  await set(1, { valueAtRisk: 0.3, value: 90 })
  await set(2, { valueAtRisk: 90, value: 120 })
  await set(3, { valueAtRisk: 1, value: 5000, calculation_p10: 0, calculation_p90: 400 })
})

const numbers = async (filter: string, search = '') => {
  const query = `$filter=source eq ${shop.source} and ${filter}&$orderby=ID desc&$select=ID${search}`
  return (await read(`Proposals?${query}`)).json.value.map(({ ID }) => ID)
}

it('leaves small lines out of a view, but finds them by a search', async () => {
  expect(await numbers('isSmall eq false')).toEqual([ids[2], ids[3]])
  expect(await numbers('isSmall eq true')).toEqual([ids[0], ids[1]])
  expect(await numbers('isSmall eq false', '&$search=attention')).toEqual(ids)
})

it('folds them into a row by supplier', async () => {
  const { json } = await read('SmallLines?$count=true')
  const [row] = json.value.filter(({ source }) => source === shop.source)
  expect(row).toMatchObject({ supplier: 'S-1', currency: 'EUR', lines: 2, value: '150.00' })
  expect(row).toMatchObject({ valueAtRisk: '1.50', supplierText: 'S-1' })
  expect(row!.orderHref).toBe(`#/Suppliers?source=${shop.source}&supplier=S-1&currency=EUR`)
  const counted = await odata('GET', 'SmallLines/$count' as 'SmallLines')
  expect(counted.status).toBe(200)
})

it('marks what needs thought: much of its value is uncertain', async () => {
  expect(await numbers('needsThought eq true')).toEqual([ids[3]])
  expect(await numbers('needsThought eq false')).toEqual(ids.slice(0, 3))
  const query = `$filter=ID eq ${ids[3]}&$select=ID,needsThought,thoughtMark,isSmall`
  const [row] = (await read(`Proposals?${query}`)).json.value
  expect(row).toMatchObject({ needsThought: true, thoughtMark: 2, isSmall: false })
})

it('says before a decision of many what they are', async () => {
  await UPDATE.entity(Proposals)
    .set({ confidence: 'low', calculation_p50: 0 })
    .where({ ID: ids[0]! })
  const body = { proposals: ids.map((ID) => `${ID}@1`).join(',') }
  const { json } = await odata('POST', 'lookBefore', { body })
  const low = (await numbers("confidence eq 'low'")).length
  expect(json).toMatchObject({ lowConfidence: low, noDemand: 1, thought: 1, refused: 0 })
  expect((await odata('POST', 'lookBefore', { body, as: 'viewer' })).status).toBe(403)
})

it('spends a budget on the order of a supplier: parts only where they protect something', async () => {
  const key = `source=${shop.source},supplier='S-1',location=null,currency='EUR'`
  const order = async (budget: string) =>
    (await read(`supplierOrder(${key},budget=${budget})` as 'supplierOrder()')).json
  const { lines, value } = await order('200')
  const chosen = lines.filter(({ isChosen }) => isChosen)
  expect(chosen[0]!.ID).toBe(ids[2])
  expect(Number(value)).toBeLessThanOrEqual(200)
  for (const { ID, quantity, proposedQuantity, valueAtRisk } of chosen)
    if (Number(quantity) !== Number(proposedQuantity))
      expect([ID, Number(valueAtRisk) >= 2]).toEqual([ID, true])
  expect(lines.find(({ ID }) => ID === ids[0])!.isSmall).toBe(true)
  const refused = await read(`supplierOrder(${key},budget=-1)` as 'supplierOrder()')
  expect(refused.status).toBe(400)
})
