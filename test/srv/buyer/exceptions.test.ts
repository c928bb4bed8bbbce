// What no order can mend, in the buyer's app.
import cds from '@sap/cds'
import { daysAgo, sync } from '../../support/server.ts'
import { openStore } from '../proposals/late-orders.ts'
import { odata, read } from './odata.ts'

const { INSERT, SELECT } = cds.ql

type Row = Record<string, unknown>

const settle = (ID: unknown, body: object = {}, as = 'buyer') =>
  odata('POST', `Exceptions(${ID})/BuyerService.settle`, { body, as })

const rowsOf = async (query = '', as = 'buyer', headers = {}): Promise<Row[]> =>
  (await read(`Exceptions?${query}`, { as, headers })).json.value

beforeAll(async () => {
  const overdue = (sku: string) => ({ order: `PO-${sku}`, sku, quantity: 10, due: daysAgo(3) })
  const source = await openStore(
    'buyer-exceptions',
    { one: 60, two: 60, three: 60, plenty: 4000 },
    ['one', 'two', 'three'].map(overdue),
  )
  await sync(source)
  await INSERT.into('restock.Skus').entries({ source_ID: source, sku: 'two', name: 'Green tea' })
  ;(mockedUsers() as Record<string, object>).elsewhere = new cds.User({
    ...{ id: 'elsewhere', password: 'elsewhere', roles: ['Viewer', 'Buyer'] },
    attr: { locations: ['L9'] },
  } as never)
})

afterAll(() => void delete (mockedUsers() as Record<string, object>).elsewhere)

const mockedUsers = () => (cds.env.requires.auth as { users?: object }).users!

const written = (day: string, locale: string) =>
  new Date(day).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })

it('shows what is the matter, in the language of the user', async () => {
  const [row] = await rowsOf("$filter=sku eq 'two'&$expand=toKind")
  expect(row).toMatchObject({
    ...{ kind: 'overdue_order', document: 'PO-two/1', quantity: 10, value: '25.00' },
    ...{ promisedOn: daysAgo(3), isSettled: false, canSettle: true, skuName: 'Green tea' },
    skuText: 'two (Green tea)',
    message: `Order PO-two/1 was due on ${written(daysAgo(3), 'en-US')}.`,
    toKind: expect.objectContaining({ name: 'Overdue order' }),
  })
  const [german] = await rowsOf("$filter=sku eq 'two'", 'buyer', { 'Accept-Language': 'de' })
  expect(german!.message).toBe(`Bestellung PO-two/1 war am ${written(daysAgo(3), 'de-DE')} fällig.`)
})

it('gives computed elements also to who asks for them alone', async () => {
  const [row] = await rowsOf("$select=ID,message,canSettle&$filter=sku eq 'plenty'")
  expect(row!.message).toMatch(/on hand/)
  expect(row!.canSettle).toBe(true)
})

it('sorts by what is stored where codes are shown with their names', async () => {
  const rows = await rowsOf('$select=ID,skuText&$orderby=skuText')
  expect(rows.map(({ skuText }) => skuText)).toEqual(['one', 'plenty', 'three', 'two (Green tea)'])
})

it('filters, searches and counts', async () => {
  expect(await rowsOf('$filter=isSettled eq false')).toHaveLength(4)
  expect(await rowsOf("$filter=kind eq 'overstock'")).toMatchObject([{ sku: 'plenty' }])
  expect(await rowsOf('$search=green')).toMatchObject([{ sku: 'two' }])
  expect((await read('Exceptions/$count')).text).toBe('4')
})

it('has only rows that the user sees', async () => {
  const [{ ID }] = (await rowsOf()) as [Row]
  expect(await rowsOf('', 'elsewhere')).toEqual([])
  expect((await read(`Exceptions(${ID})`, { as: 'elsewhere' })).status).toBe(404)
  const { status, error } = await settle(ID, {}, 'elsewhere')
  expect([status, error?.message]).toEqual([
    404,
    'This exception no longer holds, or you may not see it.',
  ])
})

it('is settled by who decides, and by the app’s door', async () => {
  const [{ ID }] = (await rowsOf("$filter=sku eq 'one'")) as [Row]
  expect((await settle(ID, {}, 'viewer')).status).toBe(403)
  const [seen] = await rowsOf("$filter=sku eq 'one'", 'viewer')
  expect(seen!.canSettle).toBe(false)
  const { status, json } = await settle(ID, { comment: 'On its way' })
  expect([status, json]).toMatchObject([
    200,
    { ID, settledBy: 'buyer', comment: 'On its way', isSettled: true, canSettle: false },
  ])
  expect(await rowsOf('$filter=isSettled eq false')).toHaveLength(3)
  expect(
    await SELECT.from('restock.AuditLog')
      .columns('actor', 'via')
      .where({ object: `exc_${ID}` }),
  ).toEqual([{ actor: 'buyer', via: 'ui' }])
})

describe('an e-mail to the supplier', () => {
  const mails = (exceptions: string, language = 'en', as = 'buyer') =>
    read(`supplierMails(exceptions='${exceptions}',language='${language}')`, { as })

  it('names the orders and what is asked for, in either language', async () => {
    const rows = await rowsOf("$filter=kind eq 'overdue_order'")
    const all = rows.map(({ ID }) => ID).join(',')
    const [english, ...others] = (await mails(all)).json.value
    expect(others).toEqual([])
    expect(english).toMatchObject({ subject: `Changes to ${rows.length} of our orders` })
    expect(english!.body).toMatch(
      /Order PO-two\/1: 10 × two \(Green tea\), due on [A-Z][a-z]+ \d+, \d{4}\n/,
    )
    const [german] = (await mails(String(rows[0]!.ID), 'de')).json.value
    expect(german!.subject).toMatch(/^Änderungen zu unserer Bestellung PO-\w+$/)
    expect(german!.body).toMatch(
      /überfällig.*\n- Bestellung PO-\w+\/1: .* fällig am \d\d\.\d\d\.\d{4}/,
    )
  })

  it('is about what the user sees, and says what it was given wrongly', async () => {
    const [row] = await rowsOf("$filter=kind eq 'overdue_order'")
    expect((await mails(String(row!.ID), 'en', 'elsewhere')).json.value).toEqual([])
    expect((await mails('1;2')).status).toBe(400)
    expect((await mails('1', 'fr')).status).toBe(400)
  })
})
