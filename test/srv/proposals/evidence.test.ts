import cds from '@sap/cds'
import { Evidence, Forecasts, Planning, Proposals } from '../../../srv/base/database/entities.ts'
import fc from '../../support/properties.ts'
import type { Calculation } from '../../../engine/proposal/index.ts'
import { quantityOf } from '../../../engine/proposal/sum.ts'
import { formulaOf } from '../../../srv/domain/proposals/stored/proposal.ts'
import { replayEvidence } from '../../../srv/domain/proposals/explain/reasons.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from './shop.ts'
import { parseJson } from '../../support/json.ts'

const { DELETE, SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('evidence', 6)
})

const evidenceOf = async (ID: number) => proposalsAs({}, 'evidence', { ID })
const kept = async (ID: number) =>
  (await SELECT.from(Evidence).where({ proposal: ID }).orderBy('version')).map(({ content }) =>
    parseJson<Parameters<typeof replayEvidence>[0]>(content!),
  )

it('keeps who decided what, by which door, from which numbers', async () => {
  const ID = shop.take()
  const before = await proposalsAs({}, 'find', { ID })
  await approve(ID, { quantity: before.quantity + 10, comment: 'fair' }, { via: 'my_inbox' })
  const [evidence] = await kept(ID)
  expect(evidence).toMatchObject({
    ...{ proposal: ID, event: 'approved', from: 'pending', by: 'approver', via: 'my_inbox' },
    ...{ quantity: before.quantity + 10, comment: 'fair', version: 2, supplier: 'S-1' },
    calculation: before.calculation,
  })
})

it('keeps a piece for every decision', async () => {
  const ID = shop.take()
  const until = new Date(Date.now() + 60_000).toISOString()
  await proposalsAs({}, 'snooze', { ID, until })
  await proposalsAs({}, 'decline', { ID, reason: 'price' })
  expect(await kept(ID)).toMatchObject([
    { event: 'snoozed', reason: null },
    { event: 'rejected', reason: 'price' },
  ])
})

it('gives the same quantity when forecasts, policies and master data are gone', async () => {
  const ID = shop.take()
  const { quantity, series } = await proposalsAs({}, 'find', { ID })
  await approve(ID)
  await DELETE.from(Forecasts).where({ series })
  await DELETE.from(Planning).where({ source_ID: shop.source })
  await UPDATE.entity(Proposals).set({ calculation_targetStock: 1 }).where({ ID })
  const [evidence] = await kept(ID)
  expect(replayEvidence(evidence!)).toMatchObject({ quantity, matches: true })
  const { decisions } = await evidenceOf(ID)
  expect(decisions[0]!.replayedQuantity).toBe(quantity)
  expect(decisions[0]!.lines.at(-1)).toMatchObject({ term: 'quantity', value: quantity })
})

it('explains a proposal that nobody has decided about', async () => {
  const ID = shop.take()
  const { lines, decisions, proposal } = await evidenceOf(ID)
  expect(decisions).toEqual([])
  expect(lines.at(-1)!.value).toBe(proposal.quantity)
  expect(lines.map(({ term }: { term: string }) => term)).toEqual(
    expect.arrayContaining(['target_stock', 'on_hand', 'on_order', 'net_requirement', 'rounded']),
  )
})

it('does not read evidence of a form that it does not know', () => {
  expect(() => replayEvidence({ formula: 99 } as never)).toThrow(RangeError)
})

it('does the sum as the engine does it today', () => {
  const units = (max: number) => fc.integer({ min: 0, max })
  const some = (max: number) => fc.option(units(max), { nil: undefined })
  const terms = fc.record({
    ...{ targetStock: units(500), onHand: fc.integer({ min: -50, max: 300 }), onOrder: units(100) },
    ...{ openProposals: units(100), moq: fc.integer({ min: 1, max: 80 }), limit: some(300) },
    lotSize: fc.constantFrom(1, 0.25, 0.5, 2.5, 6, 10, 40),
    ...{ backorders: some(40), leadTimeSafety: some(40), beyondHorizon: some(40) },
    ...{ reserved: some(40), inInspection: some(40) },
  })
  const added = fc.record({
    priceBreak: some(90),
    supplierMinimum: some(90),
    freeFreight: some(90),
  })
  fc.assert(
    fc.property(terms, added, (terms, { priceBreak, supplierMinimum, freeFreight }) => {
      const calculation = {
        ...{ ...terms, targetQuantile: 0.9, horizonDays: 14, supplierMinimum },
        priceBreak: priceBreak && { units: priceBreak },
        freeFreight: freeFreight && { units: freeFreight },
      } as Calculation
      const raised = (priceBreak ?? 0) + (supplierMinimum ?? 0) + (freeFreight ?? 0)
      expect(formulaOf(calculation).at(-1)!.value).toBe(quantityOf(terms) + raised)
    }),
  )
})
