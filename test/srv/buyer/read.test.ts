import cds from '@sap/cds'
import {
  DemandRows,
  Forecasts,
  Policies,
  Proposals,
  Skus,
} from '../../../srv/base/database/entities.ts'
import { daysAgo, serverUrl } from '../../support/server.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { decide, read } from './odata.ts'

const { DELETE, INSERT, SELECT, UPDATE, UPSERT } = cds.ql

let shop: Shop
let elsewhere: Shop
beforeAll(async () => {
  shop = await openShop('buyer-reads', 3)
  elsewhere = await openShop('buyer-elsewhere', 1, 'L2')
})

type Row = Record<string, unknown>
const mocked = () =>
  (cds.env.requires.auth as unknown as { users: Record<string, { attr: object }> }).users

describe('the list', () => {
  it('is not for those who have not signed in', async () => {
    expect((await read('Proposals', { as: '' })).status).toBe(401)
  })

  it('has names, texts and what is allowed; texts follow the language', async () => {
    const query =
      '$select=sku,urgency,exceptionsText,forecastText,canApprove&$expand=toUrgency,toStatus'
    const { json } = await read(`Proposals?${query}&$top=1`, {
      headers: { 'Accept-Language': 'de' },
    })
    const [row] = json.value
    expect(row).toMatchObject({ toStatus: { name: 'Offen', criticality: 5 }, canApprove: true })
    expect(row!.forecastText).toMatch(/^\d+ \(\d+–\d+\)$/)
  })

  it('says what has changed since yesterday, and why', async () => {
    const ofShop = `$filter=source eq ${elsewhere.source}&$orderby=ID&$top=1&$select=ID,changed,quantity`
    const told = async (language = 'en') => {
      const headers = { 'Accept-Language': language }
      return (await read(`Proposals?${ofShop}`, { headers })).json.value[0]!
    }
    const before = await told()
    expect(before.changed).toBe('New today')
    await elsewhere.count(10)
    const after = await told()
    expect(Number(after.quantity)).toBe(Number(before.quantity) + 20)
    expect(after.changed).toBe(`${before.quantity} → ${after.quantity}: on hand −20`)
    // Several changes of a day count as one.
    await elsewhere.count(20)
    expect((await told('de')).changed).toMatch(/^\d+ → \d+: Bestand −10$/)
    await elsewhere.count(30)
    expect((await told()).changed).toBeNull()
    await UPDATE.entity(Proposals)
      .set({ numbersBefore: JSON.stringify({ changedAt: `${daysAgo(2)}T10:00:00Z` }) })
      .where({ source_ID: elsewhere.source })
    expect((await told()).changed).toBeNull()
  })

  it('is filtered by the group of the SKU and by one of several exceptions', async () => {
    const [first, second, third] = shop.skus
    const at = { source_ID: shop.source }
    await INSERT.into(Skus).entries([
      { ...at, sku: first!, skuGroup: 'Filtered' },
      { ...at, sku: second!, skuGroup: 'Filters' },
      // Another source's SKU of the same name is in another group.
      { source_ID: elsewhere.source, sku: second!, skuGroup: 'Filtered' },
    ])
    const exceptions = ['no_cost', 'stale_data']
    await UPDATE.entity(Proposals)
      .set({ exceptions })
      .where({ ...at, sku: third })
    const found = async (filter: string) => {
      const query = `$filter=${filter} and source eq ${shop.source}&$count=true&$orderby=ID&$select=sku`
      const { status, json } = await read(`Proposals?${query}`)
      expect({ status, count: json['@odata.count'] }).toEqual({
        status: 200,
        count: json.value.length,
      })
      return json.value.map(({ sku }) => sku)
    }
    expect(await found("skuGroup eq 'Filtered'")).toEqual([first])
    expect(await found("(skuGroup eq 'Filtered' or skuGroup eq 'Filters')")).toEqual([
      first,
      second,
    ])
    expect(await found("startswith(skuGroup,'Filter')")).toEqual([first, second])
    expect(await found("contains(skuGroup,'tered') and status eq 'pending'")).toEqual([first])
    expect(await found("contains(tolower(skuGroup),'filtered')")).toEqual([first])
    expect(await found("exceptions eq 'stale_data'")).toEqual([third])
    expect(await found("exceptions ne 'stale_data'")).toEqual([first, second])
    expect(await found("(exceptions eq 'stale' or exceptions eq 'no_cost')")).toEqual([third])
    const counted = await read(`Proposals/$count?$filter=skuGroup eq 'Filtered'`)
    expect(Number(counted.text)).toBe(1)
    const groups = await read("SkuGroups?$filter=startswith(skuGroup,'Filter')&$orderby=skuGroup")
    expect(groups.json.value.map(({ skuGroup }) => skuGroup)).toEqual(['Filtered', 'Filters'])
  })

  it('is sorted, filtered, searched and counted by the database', async () => {
    const order = '$orderby=urgencyRank,orderBy,ID'
    const { json } = await read(`Proposals?$filter=location eq 'L1'&${order}&$count=true&$top=2`)
    expect(json['@odata.count']).toBe(3)
    expect(json.value).toHaveLength(2)
    const found = await read(`Proposals?$search=${shop.skus[1]}`)
    expect(found.json.value.map(({ sku }: Row) => sku)).toEqual([shop.skus[1]])
  })

  it('adds up by supplier', async () => {
    const { json } = await read(
      'Proposals?$apply=groupby((supplier),aggregate(value with sum as total,$count as lines))',
    )
    expect(json.value).toEqual([{ supplier: 'S-1', total: expect.anything(), lines: 4 }])
  })

  it('says what is open at a supplier, and whether its minimum is reached', async () => {
    const rule = { level: 'supplier', supplier: 'S-1', containerUnits: 50 }
    const ofShop = `source eq ${shop.source}`
    const total = `$apply=filter(${ofShop})/groupby((supplier),aggregate(value with sum as total))`
    const [row] = (await read(`Proposals?${total}`)).json.value as object as [{ total: number }]
    const open = row.total
    const told = async (minimumOrderValue: string, language = 'en') => {
      await UPSERT.into('restock.Policies').entries({ ...rule, minimumOrderValue })
      const { json } = await read(`Proposals?$select=supplierOrder&$top=1&$filter=${ofShop}`, {
        headers: { 'Accept-Language': language },
      })
      return json.value[0]!.supplierOrder
    }
    expect(await told('1.00')).toMatch(
      new RegExp(`^S-1.* · open ${Number(open).toFixed(2)} EUR · minimum 1.00 EUR reached · \\d+ `),
    )
    const missing = 999 - Number(open)
    expect(await told('999.00')).toContain(`999.00 EUR, ${missing.toFixed(2)} EUR missing`)
    expect(await told('999.00', 'de')).toContain('Mindestwert 999,00 EUR, es fehlen ')
    const freight = { freeFreightFrom: '999.00', freightCost: '50.00', minimumOrderQuantity: 5000 }
    Object.assign(rule, freight)
    expect(await told('1.00')).toMatch(
      /minimum 5,000 units, [\d,]+ missing · free freight from 999.00 EUR, [\d,.]+ EUR missing, else 50.00 EUR · /,
    )
    expect(await told('1.00', 'de')).toMatch(
      /mindestens 5\.000 Einheiten, es fehlen [\d.]+ · frachtfrei ab 999,00 EUR, es fehlen [\d.,]+ EUR, sonst 50,00 EUR · /,
    )
    await DELETE.from(Policies).where({ supplier: 'S-1' })
    const own = { level: 'supplier+location', supplier: 'S-1', location: 'L1' }
    await UPSERT.into('restock.Policies').entries({ ...own, minimumOrderQuantity: 70 })
    Object.assign(rule, { ordersByLocation: true, freeFreightFrom: null, freightCost: null })
    expect(await told('1.00')).toMatch(
      / · L1: minimum 1\.00 EUR, minimum 70 units, containers of 50 · each other location: minimum 1\.00 EUR, minimum 5,000 units, containers of 50$/,
    )
    expect(await told('1.00', 'de')).toMatch(/ · jeder andere Standort: Mindestwert 1,00 EUR, mind/)
    await DELETE.from(Policies).where({ supplier: 'S-1' })
  })

  it('fills a budget with what protects most, each line as it can be approved', async () => {
    const [open] = (await read('openSuppliers()')).json.value
    expect(open).toMatchObject({ supplier: 'S-1', currency: 'EUR', lines: 4, containerUnits: null })
    const place = { level: 'supplier+location', supplier: 'S-1', location: 'L1' }
    await INSERT.into('restock.Policies').entries({ ...place, containerUnits: 50 })
    expect((await read('openSuppliers()')).json.value).toMatchObject([{ containerUnits: 50 }])
    await DELETE.from(Policies).where({ supplier: 'S-1' })
    const fill = async (given: string, as = 'buyer') =>
      (await read(`fillBudget(supplier='S-1',currency='EUR',${given})`, { as })).json
    const all = await fill(`budget=${open!.value}`)
    expect(all).toMatchObject({ value: open!.value, leftValue: '0.00', rest: [], mayApprove: true })
    const [first, second] = all.taken
    const some = await fill(`units=${Number(first!.quantity) + 20}`, 'auditor')
    expect(some).toMatchObject({ leftUnits: 0, mayApprove: false, notTaken: { lines: 2 } })
    expect(some.taken.map(({ ID, quantity }: Row) => [ID, Number(quantity)])).toEqual([
      ...[first!.ID, second!.ID].map((ID, at) => [ID, at ? 20 : Number(first!.quantity)]),
    ])
    const rest = some.rest.reduce((sum, { value }) => sum + Number(value), 0)
    expect(rest).toBeCloseTo(Number(some.notTaken.value), 2)
    const versions = await read(`Proposals(${first!.ID})?$select=version`)
    expect(first!.version).toBe(versions.json.version)
  })

  it('refuses a budget of nothing, in the buyer’s language', async () => {
    const headers = { 'Accept-Language': 'de' }
    for (const given of ['', 'budget=0', 'units=-1', 'budget=5,units=0']) {
      const { status, error } = await read(`fillBudget(${given})` as 'fillBudget()', { headers })
      expect([status, error?.message]).toEqual([
        400,
        'Geben Sie einen Betrag oder eine Stückzahl über 0 ein.',
      ])
    }
  })

  it('tells transfers from purchases, and leaves out the leading zeros of codes', async () => {
    const [first] = (await read(`Proposals?$filter=location eq 'L1'&$orderby=ID&$top=1`)).json.value
    const { ID, sku } = first!
    const transfer = { kind: 'transfer', fromLocation: 'L9', supplier: null } as const
    const zeros = '000000000000000023'
    await UPDATE.entity(Proposals)
      .set({ ...transfer, sku: zeros })
      .where({ ID })
    const query = `$select=skuText,supplierName,supplierOrder&$filter=ID eq ${ID}`
    expect((await read(`Proposals?${query}`)).json.value).toMatchObject([
      {
        ...{ skuText: '23', supplierName: 'Transfer from L9' },
        supplierOrder: 'Transfers between locations',
      },
    ])
    const sorted = (await read('Proposals?$select=skuText&$orderby=skuText')).json.value
    expect(sorted[0]).toMatchObject({ skuText: '23' })
    await UPDATE.entity(Proposals).set({ kind: 'purchase', supplier: 'S-1', sku }).where({ ID })
    expect((await read(`Proposals?${query}`)).json.value).toMatchObject([
      { skuText: sku, supplierName: null },
    ])
  })

  it('shows blocked pairs as the app asks for them', async () => {
    const query = '$select=series,missing,sku,skuName,location,reason&$expand=toMissing'
    expect((await read(`Blocked?${query}&$count=true`)).status).toBe(200)
  })

  it('offers values with their names', async () => {
    const { json } = await read('Urgencies', { headers: { 'Accept-Language': 'de' } })
    expect(json.value).toContainEqual(expect.objectContaining({ code: 'due', name: 'Fällig' }))
    const locations = (await read('Locations')).json.value.map(({ location }: Row) => location)
    expect(locations.sort()).toEqual(['L1', 'L2'])
    expect((await read('Suppliers')).json.value).toEqual([{ supplier: 'S-1', name: null }])
  })

  it('has as due today what has no later order day, and nothing that is decided', async () => {
    const due = async () => {
      const { json } = await read('Proposals?$filter=isDueToday eq true&$select=ID')
      const overview = (await read('overview()')).json as object as { due: number }
      expect(overview.due).toBe(json.value.length)
      return json.value.map(({ ID }: Row) => ID)
    }
    const before = await due()
    const ID = before[0]!
    const { orderBy } = (await read(`Proposals?$filter=ID eq ${ID}`)).json.value[0]!
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await UPDATE.entity('restock.Proposals').set({ orderBy: tomorrow }).where({ ID })
    expect(await due()).toEqual(before.slice(1))
    await UPDATE.entity('restock.Proposals').set({ orderBy, status: 'rejected' }).where({ ID })
    expect(await due()).toEqual(before.slice(1))
    await UPDATE.entity('restock.Proposals').set({ status: 'pending' }).where({ ID })
  })

  it('says how much waits and how old the numbers are', async () => {
    const { json } = await read('overview()', { as: 'auditor' })
    expect(json).toMatchObject({ user: 'auditor', mayDecide: false, pending: 4, failingSources: 0 })
    expect([json.dataAgeDays, json.isDataStale]).toEqual([expect.any(Number), false])
  })
})

describe('a user bound to a location', () => {
  beforeAll(() => void Object.assign(mocked().approver!, { attr: { locations: ['L2'] } }))
  afterAll(() => void Object.assign(mocked().approver!, { attr: {} }))

  it('sees, explains and decides there alone', async () => {
    const as = 'approver'
    const { json } = await read('Proposals?$select=location', { as })
    expect(new Set(json.value.map(({ location }: Row) => location))).toEqual(new Set(['L2']))
    const total = '$apply=aggregate($count as lines)'
    expect((await read(`Proposals?${total}`, { as })).json.value).toEqual([{ lines: 1 }])
    const places = ['L1', 'L2'].map((location) => ({ location, minimumOrderQuantity: 70 }))
    const rule = { level: 'supplier+location', supplier: 'S-1' }
    await INSERT.into('restock.Policies').entries(places.map((each) => ({ ...rule, ...each })))
    const { value } = (await read('Proposals?$select=supplierOrder', { as })).json
    await DELETE.from(Policies).where({ supplier: 'S-1' })
    expect(value[0]!.supplierOrder).toMatch(/ · L2: minimum 70 units$/)
    expect(value[0]!.supplierOrder).not.toContain('L1')
    const ID = shop.take()
    expect((await read(`Proposals(${ID})`, { as })).status).toBe(404)
    for (const part of [
      'formula',
      'BuyerService.outlook()',
      'BuyerService.cleaning()',
      'BuyerService.bridge()',
      'BuyerService.rules()',
      'BuyerService.alternatives()',
      'BuyerService.movements()',
      'events',
      'BuyerService.risk(quantity=20)',
    ]) {
      expect((await read(`Proposals(${ID})/${part}`, { as })).status).toBe(404)
    }
    expect((await decide(ID, 'approve', {}, { as })).status).toBe(404)
    expect((await decide(elsewhere.take(), 'approve', {}, { as })).status).toBe(200)
  })
})

describe('a proposal', () => {
  it('shows its sum line by line, the last line its quantity', async () => {
    const ID = shop.take()
    const { json } = await read(`Proposals(${ID})/formula?$count=true`)
    const proposal = (await read(`Proposals(${ID})`)).json
    expect(json['@odata.count']).toBe(json.value.length)
    expect(json.value.at(-1)!.value).toBe(Number(proposal.calculatedQuantity))
    const of = (term: string) => json.value.find((line: Row) => line.term === term)!.value
    expect(of('demand_p50') + of('safety_stock')).toBe(of('target_stock'))
    const parts = json.value.filter(({ how }: Row) => /^(added|subtracted)/.test(String(how)))
    const sum = parts.reduce((total: number, { value }: Row) => total + Number(value), 0)
    expect(Math.max(0, of('demand_p50') + sum)).toBeCloseTo(of('net_requirement'), 6)
    for (const { termText, how } of json.value) expect(`${termText}${how}`).toMatch(/\S/)
  })

  it('shows past weeks, and stock ahead within its range', async () => {
    const { ID } = (await read("Proposals?$filter=location eq 'L1'&$top=1")).json.value[0]!
    const { json } = await read(`Proposals(${ID})/BuyerService.outlook()`)
    const ahead = json.value.filter(({ isForecast }: Row) => isForecast)
    expect([json.value.length, ahead.length]).toEqual([24, 12])
    for (const { stockP10, stockP50, stockP90 } of ahead) {
      expect(stockP10).toBeLessThanOrEqual(stockP50)
      expect(stockP50).toBeLessThanOrEqual(stockP90)
    }
    const lastWeek = json.value[11]
    expect(lastWeek).toMatchObject({ isForecast: false, demand: 28, stockP50: null })
    expect(lastWeek).toMatchObject({ outOfStock: 0, outliers: 0, returns: 0, cleaning: null })
  })

  it('shows the share of days without stock, and the days that the forecast corrects', async () => {
    const ID = shop.take()
    const { series } = (await SELECT.one.from(Proposals).where({ ID }))!
    const { model } = (await SELECT.one.from(Forecasts).where({ series: series! }))!
    const censored = JSON.stringify({ ...JSON.parse(model!), censoredShare: 0.058 })
    await UPDATE.entity(Forecasts).set({ model: censored }).where({ series: series! })
    const { block, date } = (await SELECT.one
      .from(DemandRows)
      .where({ series: series! })
      .orderBy('date desc'))!
    await UPDATE.entity(DemandRows).set({ quantity: -4 }).where({ block, series: series!, date })
    const { json } = await read(`Proposals(${ID})?$select=censoredShare`)
    expect(json.censoredShare).toBe('5.8 % of the past year’s days: left out of the forecast')
    const weeks = (await read(`Proposals(${ID})/BuyerService.outlook()`)).json.value
    expect(weeks[11]).toMatchObject({ demand: 20, returns: 1, cleaning: 'returns 1' })
    const days = async (language: string) => {
      const headers = { 'Accept-Language': language }
      return (await read(`Proposals(${ID})/BuyerService.cleaning()`, { headers })).json.value
    }
    const reason = 'Return: deducted from the sales before it'
    expect(await days('en')).toMatchObject([
      { date, booked: -4, taken: 0, reason },
      { booked: 4, taken: 0, reason },
    ])
    expect((await days('de'))[0]!.reason).toBe('Retoure: von den Verkäufen davor abgezogen')
  })

  it('leads from the same days a year ago to its forecast, step by step', async () => {
    const { ID, series, ...row } = (await read("Proposals?$filter=location eq 'L1'&$top=1")).json
      .value[0]!
    const p50 = Number(row.p50)
    const steps = async (language = 'en') =>
      (
        await read(`Proposals(${ID})/BuyerService.bridge()`, {
          headers: { 'Accept-Language': language },
        })
      ).json.value as Row[]
    const young = await steps()
    expect(young[0]).toMatchObject({ code: 'level', from: 0, isTotal: false })
    expect(young.at(-1)).toMatchObject({ code: 'forecast', amount: p50, to: p50, isTotal: true })
    const [day, earlier] = [364, 500].map((days) => daysAgo(days))
    const { block } = (await SELECT.one.from(DemandRows).where({ series }))!
    const sold = { block, series, quantity: 3, document: '' }
    await INSERT.into(DemandRows).entries({ ...sold, date: earlier }, { ...sold, date: day })
    const old = await steps('de')
    expect(old[0]).toMatchObject({ code: 'last_year', name: 'Dieselben Tage vor einem Jahr' })
    expect(old[0]).toMatchObject({ amount: 3, amountText: '3', from: 0, to: 3, isTotal: true })
    expect(old[1]).toMatchObject({ code: 'trend', from: 3 })
    expect(old[1]!.amountText).toBe(`+${String(old[1]!.amount)}`)
    for (const [i, { from, isTotal }] of old.slice(1).entries())
      expect(from).toBe(isTotal ? 0 : old[i]!.to)
    expect(old.at(-2)!.to).toBe(p50)
    await DELETE.from(DemandRows).where({ series, date: { in: [day, earlier] } })
  })

  it('has an audit trail of its own, and none for everything', async () => {
    const { ID } = (await read('Proposals?$top=1')).json.value[0]!
    const { json } = await read(`Proposals(${ID})/events?$expand=toEvent`)
    expect(json.value[0]).toMatchObject({ event: 'created', toEvent: { name: 'Proposed' } })
    expect((await read('Events')).status).toBe(404)
  })
})

describe('the start page', () => {
  it('is there for everybody, and forbids what it does not need', async () => {
    const url = serverUrl()
    const answer = await fetch(`${url}/`)
    expect(answer.status).toBe(200)
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toContain('unsafe-eval')
  })
})

describe('what else a buyer may want to know of a proposal', () => {
  const of = (ID: number, name: string, as = 'buyer') =>
    read(`Proposals(${ID})/BuyerService.${name}`, { as })

  const first = async () =>
    (await read(`Proposals?$filter=source eq ${shop.source}&$orderby=ID&$top=1`)).json.value[0]!.ID

  it('says who gave each value, with the address of a rule for who may see it', async () => {
    const ID = await first()
    const { value } = (await of(ID, 'rules()')).json as { value: Row[] }
    expect(value).toContainEqual({
      ...{ name: 'Lead time (days)', value: '7', giver: "The ERP's planning data", address: null },
    })
  })

  it('proposes more with more demand or a longer lead time, and refuses what makes no sense', async () => {
    const ID = await first()
    const asked = async (given: string) =>
      (await of(ID, `whatIf(${given})`)).json as {
        quantity: number | string
        text: string
      }
    const now = await asked('leadTimeDays=null')
    const more = await asked('demandPercent=100,demandDays=90')
    const longer = await asked('leadTimeDays=28')
    expect(Number(more.quantity)).toBeGreaterThan(Number(now.quantity))
    expect(Number(longer.quantity)).toBeGreaterThan(Number(now.quantity))
    expect(longer.text).toContain('lead time 28 days')
    expect((await of(ID, 'whatIf(targetPercent=20)')).status).toBe(400)
  })

  it('lists what has come, and what is to come, and other ways', async () => {
    const ID = await first()
    expect((await of(ID, 'movements()')).json).toMatchObject({ value: [] })
    expect((await of(ID, 'alternatives()')).json).toMatchObject({ value: [] })
  })
})
