import { createHash } from 'node:crypto'
import cds from '@sap/cds'
import { parse } from 'csv-parse/sync'
import { AuditLog, HandOverLines, Proposals } from '../../../srv/base/database/entities.ts'
import {
  connectFiles,
  daysAgo,
  serverUrl,
  steadyDemand,
  sync,
  writeFiles,
} from '../../support/server.ts'
import { sentenceOf } from '../../../srv/base/texts/sentences.ts'
import { differenceOf } from '../../../srv/domain/proposals/decide/erp-orders.ts'
import type { Proposal } from '../../../srv/domain/proposals/to-proposal.ts'
import { aKey, errorOf, get, post } from './api.ts'

const { SELECT } = cds.ql

/** Twenty pairs of ten suppliers, in packs of twelve. */
const SKUS = Array.from({ length: 20 }, (_, at) => `H-${at}`)
const supplierOf = (at: number) => `S-${at % 10}`
const HEADER =
  'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency,order_unit,units_per_order_unit,order_price,supplier_sku\n'

let source: number
beforeAll(async () => {
  source = await connectFiles('handovers', {
    'demand.csv': steadyDemand(SKUS, { quantity: 7 }),
    'stock.csv': `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,1\n`).join('')}`,
    'items.csv': `sku,name,unit\n${SKUS.map((sku) => `${sku},Item ${sku},PC\n`).join('')}`,
    'planning.csv':
      HEADER +
      SKUS.map(
        (sku, at) => `${sku},L1,7,12,12,${supplierOf(at)},0.8333,EUR,CAR,12,10.00,V-${at}\n`,
      ).join(''),
    'closures.csv': `supplier,from,to\nS-9,${daysAgo(-3)},${daysAgo(-12)}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const { json } = await get('/proposals?status=pending&limit=200')
  await post('/proposals/decisions', {
    decisions: json.data.map(({ id }: { id: string }) => ({ id, action: 'approve' })),
  })
})

interface Shown {
  id: string
  sha256: string
  line_count: number
  repeated: number
  file_url: string
  supplier: string | null
}

const take = async (body: object = {}) => {
  const answer = await post('/handovers', { source_id: `src_${source}`, ...body })
  return { ...answer, taken: (answer.json as { data: Shown[] } | undefined)?.data ?? [] }
}

async function fileAt(url: string) {
  const key = await aKey()
  const response = await fetch(`${serverUrl()}${url}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const approved = async () =>
  (await get('/proposals?status=approved&limit=200')).json.data as {
    id: string
    supplier: string
    quantity: number
    order_quantity: string
  }[]

it('shows both units on a proposal', async () => {
  const [first] = (await get('/proposals?limit=1')).json.data as Record<string, unknown>[]
  const { json } = await get(`/proposals/${first!.id as string}` as '/proposals/prop_1')
  expect(json).toMatchObject({
    ...{ unit: 'PC', order_unit: 'CAR', units_per_order_unit: 12, order_price: '10' },
    ...{ supplier_sku: expect.stringMatching(/^V-/), handed_over: null },
    order_quantity: String(json.quantity / 12),
  })
})

describe('taking', () => {
  let first: Shown

  it('is a fact: who, when, which lines, and the digest of the file', async () => {
    const { status, taken } = await take()
    expect(status).toBe(201)
    first = taken[0]!
    expect(taken).toEqual([
      expect.objectContaining({
        ...{ line_count: 20, repeated: 0, supplier: null, form: 'csv', format: 'csv' },
        ...{ taken_by: 'approver', via: 'api', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      }),
    ])
    const { bytes, headers } = await fileAt(first.file_url)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.sha256)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${first.id}-csv.csv"`)
    const rows = parse<Record<string, string>>(bytes, { columns: true })
    expect(rows).toHaveLength(20)
    for (const row of rows) {
      expect(Number(row.order_quantity) * 12).toBe(Number(row.quantity))
      expect(row).toMatchObject({ order_unit: 'CAR', order_price: '10', hand_over: first.id })
    }
    const [entry] = await SELECT.from(AuditLog).where({ action: 'handover.taken' })
    expect(entry).toMatchObject({ actor: 'approver', object: first.id })
    expect(entry!.detail).toContain(first.sha256)
  })

  it('wants a line a lead time later, and later still by closed days of its supplier', async () => {
    const lines = await SELECT.from(HandOverLines)
      .columns('supplier', 'wantedOn')
      .where({ handOver: 1 })
    for (const { supplier, wantedOn } of lines)
      expect(wantedOn).toBe(daysAgo(supplier === 'S-9' ? -17 : -7))
  })

  it('stands in the history of each line, and on it', async () => {
    const { id } = (await approved())[0]!
    const { json } = await get(`/proposals/${id}/history` as '/proposals/prop_1/history')
    expect(json.data.at(-1)).toMatchObject({ event: 'handed_over', comment: first.id })
    const events = json.data.map(({ event }: { event: string }) => event)
    const paged: string[] = []
    for (let cursor = ''; ;) {
      const path = `/proposals/${id}/history?limit=1${cursor}` as '/proposals/prop_1/history'
      const page = (await get(path)).json
      paged.push(...page.data.map(({ event }: { event: string }) => event))
      if (!page.next_cursor) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(paged).toEqual(events)
    const shown = (await get(`/proposals/${id}` as '/proposals/prop_1')).json
    expect(shown.handed_over).toMatchObject({ id: first.id, by: 'approver', changed: false })
  })

  it('keeps the audit trail whole', async () => {
    const { json } = await get('/audit/verification')
    expect(json).toMatchObject({ valid: true })
  })

  it('is refused a second time, every time, with each line, who and when', async () => {
    const lines = await approved()
    for (let at = 0; at < lines.length; at++) {
      const { id, supplier } = lines[at]!
      const body = [
        {},
        { proposal_ids: [id] },
        { supplier },
        { per_supplier: true, format: 'xlsx' },
        { form: 's4hana' },
      ][at % 5]!
      const answer = await take(body)
      expect(errorOf(answer)).toEqual({ status: 409, code: 'already_handed_over' })
      expect(answer.error!.details![0]!.message).toMatch(
        /^prop_\d+ was handed over by approver at \d{4}-.+ \(ho_\d+\)\.$/,
      )
    }
    expect((await get('/handovers')).json.data).toHaveLength(1)
  })

  it('is done again only where that is said, and says so', async () => {
    const { status, taken } = await take({ taken_before: 'again', format: 'xlsx' })
    expect(status).toBe(201)
    expect(taken).toEqual([expect.objectContaining({ line_count: 20, repeated: 20 })])
    const { bytes } = await fileAt(taken[0]!.file_url)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(taken[0]!.sha256)
  })

  it('leaves nothing to take where what was taken is left out', async () => {
    const { status, taken } = await take({ taken_before: 'leave_out' })
    expect(status).toBe(200)
    expect(taken).toEqual([])
  })

  it('gives a file for each supplier', async () => {
    const { taken } = await take({ taken_before: 'again', per_supplier: true })
    expect(taken.map(({ supplier }) => supplier).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `S-${at}`),
    )
    for (const { line_count: count } of taken) expect(count).toBe(2)
  })

  it.each([
    [{ form: 'sap' }, { status: 400, code: 'invalid_parameter', target: 'form' }],
    [{ format: 'zip' }, { status: 400, code: 'invalid_parameter', target: 'format' }],
    [
      { form: 'tryton', date_format: 'DD.MM.YYYY' },
      { status: 400, code: 'invalid_parameter', target: 'date_format' },
    ],
    [{ proposal_ids: [] }, { status: 400, code: 'invalid_parameter', target: 'proposal_ids' }],
    [{ proposal_ids: ['x'] }, { status: 400, code: 'invalid_parameter', target: 'proposal_ids' }],
    [{ proposal_ids: ['prop_2000000'] }, { status: 404, code: 'proposal_not_found' }],
    [{ quantity: 3 }, { status: 400, code: 'invalid_parameter', target: 'quantity' }],
  ])('refuses %j', async (body, expected) => {
    expect(errorOf(await take({ taken_before: 'again', ...body }))).toEqual(expected)
  })

  it('needs the scope to decide', async () => {
    const key = await aKey({ scopes: ['proposals:read'] })
    const answer = await post('/handovers', {}, { key })
    expect(errorOf(answer)).toEqual({ status: 403, code: 'insufficient_scope' })
  })

  it('warns of what is cancelled afterwards', async () => {
    const id = (await approved()).at(-1)!.id
    const path = `/proposals/${id}/cancel` as '/proposals/prop_1/cancel'
    const { json } = await post(path, { reason: 'not_needed' })
    expect(json.handed_over).toMatchObject({ changed: true, by: 'approver' })
    const lines = await get(`/handovers/${first.id}/lines?limit=200` as '/handovers/ho_1/lines')
    const changed = lines.json.data.filter(({ changed }: { changed: boolean }) => changed)
    expect(changed).toEqual([expect.objectContaining({ proposal_id: id, status: 'cancelled' })])
  })

  it('is found again by its number in the orders of the ERP', async () => {
    const lines = await approved()
    const { bytes } = await fileAt(first.file_url)
    const rows = parse<Record<string, string>>(bytes, { columns: true })
    // The ERP makes an order for each supplier of the file, and keeps the reference of its header.
    const orders = rows.map((row, at) =>
      [
        ...[`PO-${row.supplier}`, at, row.sku, row.location, row.quantity, row.due],
        ...[at % 2 ? row.reference : row.hand_over, row.supplier, daysAgo(0)],
      ].join(','),
    )
    await writeFiles('handovers', {
      'open_orders.csv':
        'order,line,sku,location,quantity,due,reference,supplier,ordered_on\n' +
        `${orders.join('\n')}\n`,
    })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
    const ids = lines.map(({ id }) => Number(id.slice('prop_'.length)))
    const found = await SELECT.from(Proposals).where({ ID: { in: ids } })
    const ordered = found.filter(
      ({ status, matchedBy }) => status === 'ordered' && matchedBy === 'reference',
    )
    expect(ordered.length / lines.length).toBeGreaterThanOrEqual(0.99)
  })
})

describe('an order that differs from what was handed over', () => {
  const orders = (rows: string[]) =>
    writeFiles('handovers', {
      'open_orders.csv':
        'order,line,sku,location,quantity,due,reference,supplier,ordered_on,unit_cost\n' +
        `${rows.join('\n')}\n`,
    })

  it('is an exception with its money, until it is as it was handed over', async () => {
    const [, first, second, third] = (
      await SELECT.from(HandOverLines)
        .columns('proposal', 'sku', 'quantity', 'supplier', 'wantedOn', 'handOver')
        .where({ handOver: 1 })
        .orderBy('proposal')
    ).map((row) => ({ ...row, quantity: Number(row.quantity) }))
    const line = (of: typeof first, quantity: number, due: string, cost: string) =>
      [
        ...[`PO-${of!.supplier}`, of!.proposal, of!.sku, 'L1', quantity, due],
        ...[`prop_${of!.proposal}`, of!.supplier, daysAgo(0), cost],
      ].join(',')
    const differing = async () => {
      await orders([
        line(first, first!.quantity + 12, first!.wantedOn!, '0.8333'),
        line(second, second!.quantity, second!.wantedOn!, '0.9000'),
        line(third, third!.quantity, daysAgo(-30), '0.8333'),
      ])
      expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    }
    await differing()
    // It differs still, if by less than was approved.
    await orders([line(first, first!.quantity - 12, first!.wantedOn!, '0.8333')])
    await sync(source)
    const less = (await get('/exceptions?kind=order_differs')).json.data
    expect(less).toMatchObject([{ sku: first!.sku, quantity: 12 }])
    expect(less[0]!.message).toContain(`${first!.quantity - 12} ordered`)
    await differing()
    const { json } = await get('/exceptions?kind=order_differs')
    const of = (sku: string) => json.data.find((row: { sku: string }) => row.sku === sku)
    expect(json.data).toHaveLength(3)
    expect(of(first!.sku!)).toMatchObject({ quantity: 12, value: '10.00', currency: 'EUR' })
    expect(of(first!.sku!)!.message).toContain(
      `${first!.quantity + 12} ordered, ${first!.quantity} approved`,
    )
    expect(of(second!.sku!)).toMatchObject({
      value: (second!.quantity * (0.9 - 0.8333)).toFixed(2),
      message: expect.stringContaining('a unit costs 0.90, approved at 0.8333'),
    })
    expect(of(third!.sku!)!.message).toContain(`wanted on ${third!.wantedOn}`)
    await orders([
      line(first, first!.quantity, first!.wantedOn!, '0.8333'),
      line(second, second!.quantity, second!.wantedOn!, '0.8333'),
      line(third, third!.quantity, third!.wantedOn!, '0.8333'),
    ])
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect((await get('/exceptions?kind=order_differs')).json.data).toEqual([])
    // A part has come, and no receipts say so.
    await orders([line(first, first!.quantity - 12, first!.wantedOn!, '0.8333')])
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
    expect((await get('/exceptions?kind=order_differs')).json.data).toEqual([])
  })

  const ORDER = { document: 'PO', open: 5, received: 0, due: null, supplier: null }

  it.each([
    ['S', undefined],
    [null, undefined],
    ['T', 'at supplier T, approved for S'],
  ])('tells an order at supplier %s of one that was approved for S', (supplier, told) => {
    const pair = { sku: 'A', location: 'L1', supplier: 'S' }
    const proposal = { ID: 1, ...pair, quantity: 5, unitCost: '1.0000', currency: 'EUR' }
    const order = { ...ORDER, supplier, unitCost: null, currency: null }
    const taken = { handOver: 1, wantedOn: '2031-01-02', cost: null, isWhole: true }
    const found = differenceOf(proposal as unknown as Proposal, [order], taken)
    expect(found ? sentenceOf(found.facts, 'en') : undefined).toEqual(
      told && expect.stringContaining(told),
    )
    expect(found?.value).toBe(told && 5)
  })

  it.each([
    ['USD', null],
    ['EUR', 5],
    [null, 5],
  ])('compares a price in %s with one in EUR', (currency, value) => {
    const pair = { sku: 'A', location: 'L1', supplier: 'S' }
    const proposal = { ID: 1, ...pair, quantity: 5, unitCost: '1.0000', currency: 'EUR' }
    const order = { ...ORDER, unitCost: '2.0000', currency }
    const taken = { handOver: 1, wantedOn: '2031-01-02', cost: null, isWhole: true }
    const found = differenceOf(proposal as unknown as Proposal, [order], taken)
    expect(found && found.value).toBe(value)
  })
})
