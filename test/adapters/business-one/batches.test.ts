// Stock by batch of a stored query, and what is wrong with queries.
import type { RecordOf } from '../../../adapters/records.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { adapter, connectionTo } from './support.ts'

const OPTIONS = { batches_query: 'restock_batches' }
const LIST = "/b1s/v2/SQLQueries('restock_batches')/List"

let erp: BusinessOneSandbox
beforeEach(async () => {
  erp = await startBusinessOne(makeCompany({ size: 200, days: 20 }))
})
afterEach(() => erp.close())

async function read(options: Record<string, unknown> = {}) {
  const connection = connectionTo(erp, { ...OPTIONS, ...options })
  const stream = adapter.streams(connection).find(({ record }) => record === 'batches')!
  expect(stream).toMatchObject({ isRequired: false, isOptional: true })
  const records: RecordOf<'batches'>[] = []
  const quarantined: { code: string; target: string | null; sku?: string }[] = []
  const notes: string[] = []
  for await (const page of stream.read(null, new AbortController().signal)) {
    records.push(...(page.records as RecordOf<'batches'>[]))
    quarantined.push(...page.quarantined)
    notes.push(...(page.notes ?? []))
  }
  return { records, quarantined, notes }
}

const checked = async (options: Record<string, unknown> = OPTIONS) => {
  const checks = await adapter.check(connectionTo(erp, options), new AbortController().signal)
  return checks.find(({ record }) => record === 'batches')
}

const batchesOf = ({ pairs }: BusinessOneSandbox['company']) =>
  pairs.flatMap(({ item, location, onHand }, at): RecordOf<'batches'>[] => {
    if (at % 3 || onHand < 4) return []
    const pair = { sku: item.code, location: location.code }
    const first = { ...pair, batch: `B${at}`, expiresOn: '2031-05-31' }
    const second = { ...pair, batch: `C${at}`, expiresOn: '2032-06-01', quantity: 1 }
    return [{ ...first, quantity: Math.floor(onHand / 2) }, ...(at % 9 ? [] : [second])]
  })

it.each([
  ['in one page', {}, {}],
  ['in pages of which the query says the next', { maxPage: 20 }, {}],
  ['in pages of a round number of rows', {}, { page_size: 20 }],
  ['where the session is lost again and again', { sessionRequests: 3 }, { page_size: 30 }],
])('has what lies of each batch at each warehouse, %s', async (_name, behaviour, options) => {
  erp.set(behaviour)
  const { records, quarantined } = await read(options)
  expect(quarantined).toEqual([])
  expect(records.length).toBeGreaterThan(40)
  expect(records).toEqual(batchesOf(erp.company))
  // A parameter that the query does not know would be refused.
  const asked = erp.log.filter(({ path }) => path === LIST)
  expect(asked.every(({ query }) => /^(\?&\$skip=\d+)?$/.test(query))).toBe(true)
})

it('is not asked for without the option', async () => {
  const records = adapter.streams(connectionTo(erp)).map(({ record }) => record)
  expect(records).not.toContain('batches')
  expect(await checked({})).toBeUndefined()
  expect(adapter.options.safeParse({ batches_query: "x')/List" }).success).toBe(false)
})

it('is checked by one row', async () => {
  expect(await checked()).toMatchObject({
    ...{ status: 'ok', message: null },
    rights: expect.arrayContaining(['Full authorization: Service Layer SQL Query restock_batches']),
  })
  expect(erp.log.find(({ path }) => path === LIST)).toMatchObject({ rows: 1 })
})

const refuse = (status: number, code: string, message: string) =>
  erp.fault({ match: /SQLQueries/, status, body: { error: { code, message } }, times: 2 })
const withoutDay = { ItemCode: 'A', WhsCode: '01', DistNumber: 'B1', Quantity: 4 }

it.each([
  {
    ...{ name: 'may not be run', status: 'forbidden', code: 'forbidden' },
    text: 'Service Layer SQL Query',
    fail: () => erp.set({ forbidden: ['SQLQueries'] }),
  },
  {
    ...{ name: 'has another name', status: 'forbidden', code: 'forbidden' },
    text: 'of a query that it has not',
    fail: () => erp.set({ batchesQuery: 'RESTOCK_BATCHES' }),
  },
  {
    ...{ name: 'is unknown to an old version', status: 'absent', code: 'not_found' },
    text: 'of a query that it has not',
    fail: () => refuse(404, '-1000', 'Resource not found'),
  },
  {
    ...{ name: 'names a table that is not allowed', status: 'failed', code: 'request_refused' },
    text: "'OBTQ' not accessible",
    fail: () => refuse(400, '702', "Table 'OBTQ' not accessible"),
  },
  {
    ...{ name: 'lacks a column', status: 'failed', code: 'missing_column' },
    text: 'It lacks ExpDate',
    fail: () =>
      erp.fault({ match: /SQLQueries/, status: 200, body: { value: [withoutDay] }, times: 2 }),
  },
])('says what is wrong with a query that $name', async ({ status, code, text, fail }) => {
  fail()
  const message = expect.stringMatching(new RegExp(`query restock_batches .*${text}`))
  expect(await checked()).toMatchObject({ status, message })
  await expect(read()).rejects.toMatchObject({ code, message, target: 'options.batches_query' })
})

it('leaves out what never expires, and rejects what is no batch', async () => {
  const { item, location } = erp.company.pairs[0]!
  const row = (change: object) => ({
    ...{ ItemCode: item.code, WhsCode: location.code, DistNumber: 'B1', Quantity: 4.00000000001 },
    ...{ ExpDate: '20310531', ...change },
  })
  const value = [
    row({}),
    row({}),
    row({ DistNumber: 'B2', ExpDate: null }),
    row({ DistNumber: 'B3', Quantity: 0 }),
    row({ DistNumber: 'B4', WhsCode: 'CLOSED' }),
    row({ DistNumber: 'B5', ExpDate: '20310231' }),
    row({ DistNumber: 'B6', Quantity: 'many' }),
    row({ DistNumber: null }),
    row({ Quantity: 5 }),
    row({ DistNumber: 'B7', ExpDate: '2031-06-01T00:00:00Z' }),
  ]
  erp.fault({ match: /SQLQueries/, status: 200, body: { value } })
  const { records, quarantined } = await read()
  const pair = { sku: item.code, location: location.code }
  expect(records).toEqual([
    { ...pair, batch: 'B1', expiresOn: '2031-05-31', quantity: 4 },
    { ...pair, batch: 'B7', expiresOn: '2031-06-01', quantity: 4 },
  ])
  expect(quarantined.map(({ code, target, sku }) => [code, target, sku])).toEqual([
    ['invalid_value', 'ExpDate', item.code],
    ['invalid_value', 'Quantity', item.code],
    ['missing_value', 'DistNumber', item.code],
    ['duplicate_key', 'DistNumber', item.code],
  ])
})

it('ends where the query gives the same page again and again', async () => {
  const next = "SQLQueries('restock_batches')/List?&$skip=0"
  const body = { value: [], '@odata.nextLink': next }
  erp.fault({ match: /SQLQueries/, status: 200, body, times: 2 })
  await expect(read()).rejects.toMatchObject({ name: 'Retriable' })
})

describe('a batch on two pages', () => {
  const pages = async (...quantities: number[]) => {
    const { item, location } = erp.company.pairs[0]!
    const pair = { sku: item.code, location: location.code }
    const row = (DistNumber: string, Quantity: number) => ({
      ...{ ItemCode: item.code, WhsCode: location.code, DistNumber, Quantity, ExpDate: '20310531' },
    })
    for (const [at, quantity] of quantities.entries()) {
      const next = `SQLQueries('restock_batches')/List?&$skip=${at + 1}`
      const isLast = at === quantities.length - 1
      const body = {
        value: [row('B1', quantity), row(`C${at}`, 1)],
        ...(!isLast && { '@odata.nextLink': next }),
      }
      erp.fault({ match: /SQLQueries/, status: 200, body })
    }
    const { records, quarantined, notes } = await read()
    const own = records.filter(({ batch }) => batch === 'B1')
    expect(records.length - own.length).toBe(quantities.length)
    expect(own.every(({ sku, location: at }) => sku === pair.sku && at === pair.location)).toBe(
      true,
    )
    return { quantities: own.map(({ quantity }) => quantity), quarantined, notes }
  }

  it('is one where nothing of it has changed', async () => {
    expect(await pages(4, 4)).toEqual({ quantities: [4], quarantined: [], notes: [] })
  })

  it('counts with what was read last where it has changed meanwhile, and a note says so', async () => {
    expect(await pages(4, 3, 3)).toEqual({
      ...{ quantities: [4, 3], quarantined: [] },
      notes: [expect.stringMatching(/query restock_batches .*: 1 were on two pages/)],
    })
  })
})
