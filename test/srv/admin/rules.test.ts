import { connectFiles, steadyDemand, sync } from '../../support/server.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { until } from '../../support/service.ts'
import { act, call, errorOf, get, rows } from './admin.ts'

const path = ({ level = 'default', skuGroup = '', supplier = '', sku = '', location = '' }) =>
  `Policies(level='${encodeURIComponent(level)}',skuGroup='${skuGroup}',supplier='${supplier}',sku='${sku}',location='${location}')`

let source: number

beforeAll(async () => {
  source = await connectFiles('admin-rules', {
    'demand.csv': steadyDemand(['R1', 'R2']),
    'stock.csv': 'sku,location,on_hand\nR1,L1,3\nR2,L1,3\n',
    'items.csv':
      'sku,name,unit,supplier,unit_cost,currency\nR1,One,PC,S1,2.00,EUR\nR2,Two,PC,S1,2.00,EUR\n' +
      '000000000000004711,Tea,PC,S1,2.00,EUR\n0A1,Cup,PC,S1,2.00,EUR\n',
  })
  await sync(source, 'full')
})

/** A rule is of the level that its names make. */
const setRule = ({ level: _, ...rule }: Record<string, unknown>) => act('Policies/setRule', rule)

const blocked = (sku: string) => rows(`BlockedPairs?$filter=sku eq '${sku}'`)

describe('a rule', () => {
  it('is set, changed and taken away', async () => {
    const key = { level: 'supplier', supplier: 'S9' }
    const set = await setRule({
      ...key,
      moq: 5,
      minimumOrderValue: '500.00',
      orderDays: '5, 1',
    })
    expect(set.json).toMatchObject({
      ...{
        ...key,
        sku: '',
        moq: 5,
        minimumOrderValue: '500.00',
        orderDays: '1,5',
        precedence: 4,
      },
      ...{ updatedBy: 'admin', leadTimeDays: null },
    })
    expect(await rows(`Policies?$select=title,says&$filter=supplier eq 'S9'`)).toMatchObject([
      {
        title: 'Supplier: S9',
        says:
          'Minimum order quantity (MOQ): 5; Minimum order value: 500.00; ' +
          'Order days (1 = Monday, e.g. 1,3): 1,5',
      },
    ])
    const changed = await act(`${path(key)}/change`, { leadTimeDays: 4 })
    expect(changed.json).toMatchObject({ leadTimeDays: 4, moq: null, orderDays: null })
    expect((await call('DELETE', path(key))).status).toBe(204)
    expect((await get(path(key))).status).toBe(404)
    expect(errorOf(await call('DELETE', path(key))).status).toBe(404)
    const told = await rows(
      "AuditLog?$select=detailText&$expand=toAction&$filter=contains(object,'S9')&$orderby=at",
    )
    expect(told.map(({ toAction, detailText }) => [toAction.name, detailText])).toEqual([
      [
        'Ordering rule set',
        'Minimum order quantity (MOQ) set to 5; Minimum order value set to 500; ' +
          'Order days (1 = Monday, e.g. 1,3) set to 1, 5',
      ],
      ['Ordering rule set', expect.stringMatching(/; Lead time \(days\) set to 4$/)],
      ['Ordering rule removed', 'Lead time (days) 4 removed'],
    ])
  })

  it('takes prices by quantity as a text, and keeps what its boxes cannot say', async () => {
    const key = { level: 'sku', sku: 'R2' }
    const priceBreaks = '600=1.94; 200=1.95'
    const { json } = await setRule({ ...key, priceBreaks, ordersByLocation: false })
    expect(json).toMatchObject({ priceBreaks: '200=1.95,600=1.94', ordersByLocation: null })
    const [told] = await rows("AuditLog?$select=detailText&$filter=contains(object,'sku R2')")
    expect(told!.detailText).toBe('Price breaks (e.g. 200=1.95,600=1.94) set to 200=1.95,600=1.94')
    await call('DELETE', path(key))
    const rule = { level: 'supplier', supplier: 'S9', moq: 5, ordersByLocation: false }
    await proposalsAs({ id: 'admin' }, 'setPolicy', { rule })
    const changed = await act(`${path(rule)}/change`, { moq: 6, ordersByLocation: false })
    expect(changed.json).toMatchObject({ moq: 6, ordersByLocation: false })
    await call('DELETE', path(rule))
  })

  it('has its service target in percent, and a level by what it names', async () => {
    const { json } = await setRule({ sku: 'R1', location: 'L1', targetPercent: 98.5 })
    expect(json).toMatchObject({
      level: 'sku+location',
      targetQuantile: 0.985,
      targetPercent: 98.5,
    })
    const key = { level: 'sku+location', sku: 'R1', location: 'L1' }
    const changed = await act(`${path(key)}/change`, { targetPercent: 90 })
    expect(changed.json).toMatchObject({ targetQuantile: 0.9, targetPercent: 90 })
    expect((await rows("Policies?$select=says&$filter=sku eq 'R1'"))[0]!.says).toMatch(/: 90$/)
    await call('DELETE', path(key))
  })

  it('is for an ABC class where one is named, and may have its costs alone', async () => {
    const { json } = await setRule({ abcClass: 'A', targetPercent: 97 })
    expect(json).toMatchObject({ level: 'class_a', sku: '', skuGroup: '', targetQuantile: 0.97 })
    const [shown] = await rows("Policies?$expand=toLevel&$filter=level eq 'class_a'")
    expect(shown).toMatchObject({
      toLevel: { name: 'Class A' },
      says: expect.stringMatching(/97$/),
    })
    expect(await rows('AbcClasses?$orderby=abcClass', 'de')).toEqual(
      ['A', 'B', 'C'].map((abcClass) => ({ abcClass, name: `Klasse ${abcClass}` })),
    )
    await call('DELETE', path({ level: 'class_a' }))
  })

  it('for what no ERP has is stored with a warning', async () => {
    const { status, headers } = await setRule({
      ...{ level: 'sku', sku: 'R-1', moq: 5 },
    })
    expect(status).toBe(200)
    expect(JSON.parse(headers.get('sap-messages')!)).toMatchObject([
      {
        message: 'No connected ERP has a SKU R-1: the rule has an effect only once one has.',
        numericSeverity: 3,
      },
    ])
    const known = await setRule({ level: 'sku', sku: 'R1', moq: 5 })
    expect(known.headers.get('sap-messages')).toBeNull()
    for (const sku of ['R-1', 'R1']) await call('DELETE', path({ level: 'sku', sku }))
  })

  it.each([
    [{ skuGroup: 'TEA', sku: 'A', moq: 1 }, 'sku'],
    [{ leadTimeDays: -1 }, 'leadTimeDays'],
    [{ abcClass: 'A', sku: 'A', targetPercent: 97 }, 'sku'],
    [{ abcClass: 'D', targetPercent: 97 }, 'abcClass'],
    [{ abcClass: 'a', targetPercent: 97 }, 'abcClass'],
    [{ abcClass: 'A', moq: 1 }, 'moq'],
    [{ abcClass: 'A' }, 'level'],
    [{ targetPercent: 99.5 }, 'targetPercent'],
    [{ targetPercent: 0.97 }, 'targetPercent'],
    [{ supplier: 'S1', orderDays: 'Monday' }, 'orderDays'],
    [{ minimumOrderValue: '5.00' }, 'minimumOrderValue'],
    [{ sku: 'A', priceBreaks: '200' }, 'priceBreaks'],
    [{}, 'level'],
  ])('with %j names the field', async (rule, target) => {
    expect(errorOf(await setRule(rule))).toMatchObject({
      ...{ status: 400, code: 'invalid_parameter', target },
    })
  })
})

it('names codes without the leading zeros of SAP, in rules and in what a rule can name', async () => {
  const key = { level: 'supplier', supplier: '0000100023' }
  await setRule({ ...key, moq: 5 })
  const [rule] = await rows("Policies?$filter=supplier eq '0000100023'&$orderby=supplierText")
  expect(rule).toMatchObject({ supplier: '0000100023', supplierText: '100023', skuText: '' })
  await call('DELETE', path(key))
  expect(await rows("Skus?$filter=skuText eq '4711'")).toMatchObject([
    { sku: '000000000000004711', skuText: '4711', name: 'Tea' },
  ])
  expect(await rows("Skus?$filter=sku eq '0A1'")).toMatchObject([{ skuText: '0A1' }])
  expect((await rows('Skus?$search=One')).map(({ sku }: { sku: string }) => sku)).toContain('R1')
})

it('takes no empty number for a zero, and says what is wrong in words for its field', async () => {
  const { json } = await setRule({ level: 'location', location: 'L7', moq: 2 })
  expect(json).toMatchObject({ leadTimeDays: null, shelfLifeDays: null })
  const wrong = await setRule({
    level: 'location',
    location: 'L7',
    leadTimeDays: 2.5,
  })
  expect(wrong.error).toMatchObject({
    ...{ target: 'leadTimeDays', message: 'Must be a whole number from 0 to 3,650' },
  })
  const german = await call('POST', 'Policies/AdminService.setRule' as 'Policies', {
    ...{ language: 'de', body: { location: 'L7', leadTimeDays: 2.5 } },
  })
  expect(german.error).toMatchObject({ message: 'Muss eine ganze Zahl von 0 bis 3.650 sein' })
  const { text } = await get('$metadata')
  for (const [parameter] of text.matchAll(/<Parameter Name="\w+Days"[^>]*>/g)) {
    expect(parameter).not.toContain('Edm.Int')
  }
})

describe('a blocked pair', () => {
  const mend = (pair: { series: number }, body: object, missing = 'lead_time') =>
    act(`BlockedPairs(series=${pair.series},missing='${missing}')/setLeadTime`, body)

  it('gets its lead time, and then its proposal', async () => {
    const pair = (await blocked('R1'))[0]!
    expect(pair).toMatchObject({ skuName: 'One', supplier: 'S1', missing: 'lead_time' })
    const { json } = await mend(pair, { leadTimeDays: 9 })
    expect(json).toMatchObject({
      level: 'sku+location',
      sku: 'R1',
      location: 'L1',
      leadTimeDays: 9,
    })
    await until(async () => !(await blocked('R1')).length)
    expect(await blocked('R2')).toHaveLength(1)
    expect(errorOf(await mend(pair, { leadTimeDays: 9 }))).toMatchObject({ status: 404 })
  })

  it('is offered no level whose rules take no lead time', async () => {
    const levels = await rows('LeadTimeLevels?$select=code&$orderby=position')
    expect(levels.map(({ code }) => code)).toEqual([
      ...['sku+location', 'sku', 'supplier+location', 'supplier', 'group', 'location', 'default'],
    ])
  })

  it('gets it from a rule of its supplier, whose other values stay', async () => {
    await setRule({ level: 'supplier', supplier: 'S1', moq: 7, orderDays: '1,2' })
    const pair = (await blocked('R2'))[0]!
    const wrong = await mend(pair, { leadTimeDays: 9.5, level: 'supplier' })
    expect(wrong.status).toBe(400)
    expect(errorOf(await mend(pair, { level: 'supplier' }))).toMatchObject({
      target: 'leadTimeDays',
    })
    expect(errorOf(await mend(pair, { leadTimeDays: 5, level: 'group' }))).toMatchObject({
      ...{ status: 400, target: 'level' },
    })
    const { json } = await mend(pair, { leadTimeDays: 5, level: 'supplier' })
    expect(json).toMatchObject({ leadTimeDays: 5, moq: 7, orderDays: '1,2' })
    await until(async () => !(await blocked('R2')).length)
  })
})

describe('a planned event', () => {
  it('is entered and removed', async () => {
    const event = { kind: 'closure', firstDay: '2026-12-24', location: 'L9' }
    const entered = await act('PlannedEvents/addEvent', { ...event, sku: '', factor: null })
    expect(entered.json).toMatchObject({
      ...{ ...event, lastDay: '2026-12-24', sku: '', number: null, changedBy: 'admin' },
      isRemovable: true,
    })
    const path = `PlannedEvents(${entered.json.ID})`
    const listed = await rows('PlannedEvents?$expand=toKind')
    expect(listed.map(({ toKind }) => toKind.name)).toEqual(['Closure'])
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await get(path)).status).toBe(404)
    const log = `AuditLog?$select=detailText&$filter=object eq 'plan_${entered.json.ID}'`
    const inWords = async (language: string) =>
      (await rows(log, language)).map(({ detailText }) => detailText)
    const english =
      'Kind set to Closure; First day set to Dec 24, 2026; Last day set to Dec 24, 2026; Location set to L9'
    expect(await inWords('en')).toEqual([english, english])
    const german =
      'Art auf Schließung gesetzt; Erster Tag auf 24.12.2026 gesetzt; Letzter Tag auf 24.12.2026 gesetzt; Standort auf L9 gesetzt'
    expect(await inWords('de')).toEqual([german, german])
  })

  it('is a public holiday where a country is named', async () => {
    const set = await act('HolidayCalendars/setHolidays', { country: 'DE', region: 'BY' })
    expect(set.json).toMatchObject({
      ...{ location: '', country: 'DE', region: 'BY', countryText: 'Germany, BY' },
      isRemovable: true,
    })
    await act('HolidayCalendars/setHolidays', { location: 'L9', country: null })
    const german = await rows('HolidayCalendars?$orderby=location', 'de')
    expect(german.map(({ countryText }) => countryText)).toEqual([
      'Deutschland, BY',
      'Keine Feiertage',
    ])
    const names = await rows('Countries', 'de')
    expect(names.find(({ code }) => code === 'AT')!.name).toBe('Österreich')
    const wrong = await act('HolidayCalendars/setHolidays', { country: 'XX' })
    expect(errorOf(wrong)).toMatchObject({ status: 400, target: 'country' })
    for (const location of ['', 'L9'])
      expect((await call('DELETE', `HolidayCalendars('${location}')`)).status).toBe(204)
    expect(await rows('HolidayCalendars')).toEqual([])
  })

  it.each([
    [{ kind: 'closure' }, 'firstDay'],
    [{ kind: 'event', firstDay: '2026-12-24' }, 'factor'],
    [{ firstDay: '2026-12-24' }, 'kind'],
  ])('must be possible: %j', async (event, target) => {
    expect(errorOf(await act('PlannedEvents/addEvent', event))).toMatchObject({
      ...{ status: 400, target },
    })
  })
})
