import { withApi } from './setup.ts'

const bench = withApi()
const list = (data: object[]) => ({ body: { data, next_cursor: null, has_more: false } })

const rule = {
  ...{ level: 'sku', sku: 'A-100', location: null, supplier: null, group: null },
  ...{ lead_time_days: 14, moq: null, order_days: null },
  ...{ updated_at: '2026-11-20T09:00:00.000Z', updated_by: 'admin' },
}

describe('policies', () => {
  it('list shows what each rule is for and what it says', async () => {
    const both = { ...rule, level: 'sku+location', location: 'L1', order_days: [1, 4] }
    bench.api.on('GET /policies', list([rule, both]))
    const { code, stdout } = await bench.run('policies', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/sku A-100 +lead_time_days 14 +admin/)
    expect(stdout).toMatch(/sku A-100 at L1 +lead_time_days 14, order_days 1\+4/)
  })

  it('set keeps what the rule says besides', async () => {
    bench.api.on('GET /policies', list([rule]))
    bench.api.on('PUT /policies', { body: { ...rule, moq: 40 } })
    const { code, stdout } = await bench.run('policies', 'set', '--sku', 'A-100', '--moq', '40')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Rule for sku A-100: lead_time_days 14, moq 40.\n',
    })
    const [asked, sent] = bench.api.received
    expect(Object.fromEntries(asked!.query)).toEqual({ level: 'sku', sku: 'A-100', limit: '1' })
    expect(sent!.body).toEqual({ level: 'sku', sku: 'A-100', lead_time_days: 14, moq: 40 })
  })

  it('set takes prices by quantity, and what a supplier asks of an order', async () => {
    const breaks = [
      { from_quantity: 200, unit_cost: '1.95' },
      { from_quantity: 600, unit_cost: '1.94' },
    ]
    bench.api.on('GET /policies', list([]))
    bench.api.on('PUT /policies', { body: { ...rule, price_breaks: breaks } })
    const { stdout } = await bench.run(
      ...['policies', 'set', '--sku', 'A-100', '--price-breaks', '200=1.95,600=1.94'],
    )
    expect(stdout).toBe('Rule for sku A-100: lead_time_days 14, price_breaks 200=1.95+600=1.94.\n')
    expect(bench.api.received.at(-1)!.body).toMatchObject({ price_breaks: breaks })
    const ofSupplier = { level: 'supplier+location', sku: null, supplier: 'S-7', location: 'L1' }
    bench.api.on('PUT /policies', { body: { ...rule, ...ofSupplier } })
    const told = await bench.run(
      ...['policies', 'set', '--supplier', 'S-7', '--location', 'L1'],
      ...['--minimum-order-quantity', '300', '--free-freight-from', '900', '--freight-cost', '45'],
    )
    expect(told.stdout).toBe('Rule for supplier S-7 at L1: lead_time_days 14.\n')
    expect(bench.api.received.at(-1)!.body).toEqual({
      ...{ level: 'supplier+location', supplier: 'S-7', location: 'L1' },
      ...{ minimum_order_quantity: 300, free_freight_from: '900', freight_cost: '45' },
    })
    for (const [flag, value] of [
      ['--orders-by-location', true],
      ['--no-orders-by-location', false],
    ] as const) {
      await bench.run('policies', 'set', '--supplier', 'S-7', flag)
      expect(bench.api.received.at(-1)!.body).toMatchObject({ orders_by_location: value })
    }
  })

  it('set says what no ERP has', async () => {
    const text = 'No connected ERP has a SKU A-100: the rule has an effect only once one has.'
    const warnings = [{ code: 'unknown_sku', target: 'sku', message: text }]
    bench.api.on('GET /policies', list([]))
    bench.api.on('PUT /policies', { body: { ...rule, warnings } })
    const { code, stdout, stderr } = await bench.run(
      ...['policies', 'set', '--sku', 'A-100', '--lead-time-days', '14'],
    )
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stderr: `${text}\n` },
      stdout: 'Rule for sku A-100: lead_time_days 14.\n',
    })
  })

  it('set takes values away', async () => {
    bench.api.on('GET /policies', list([{ ...rule, moq: 40, lot_size: 5 }]))
    bench.api.on('PUT /policies', { body: rule })
    await bench.run('policies', 'set', '--sku', 'A-100', '--clear', 'moq,lot-size')
    expect(bench.api.received.at(-1)!.body).toEqual({
      ...{ level: 'sku', sku: 'A-100', lead_time_days: 14 },
    })
  })

  it('remove names the rule by what it is for', async () => {
    bench.api.on('DELETE /policies', { status: 204 })
    const { code, stdout } = await bench.run('policies', 'remove', '--supplier', 'S-7')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Removed the rule for supplier S-7.\n' })
    expect(Object.fromEntries(bench.api.received[0]!.query)).toEqual({
      ...{ level: 'supplier', supplier: 'S-7' },
    })
  })

  it.each([
    [['set', '--moq', '5']],
    [['set', '--default', '--sku', 'A', '--moq', '5']],
    [['set', '--sku', 'A', '--supplier', 'S', '--moq', '5']],
    [['set', '--sku', 'A']],
    [['set', '--sku', 'A', '--moq', 'many']],
    [['set', '--sku', 'A', '--clear', 'colour']],
    [['set', '--supplier', 'S', '--order-days', '0']],
    [['set', '--sku', 'A', '--price-breaks', '200']],
    [['remove']],
  ])('is wrong usage: %j', async (args) => {
    expect((await bench.run('policies', ...args)).code).toBe(2)
  })
})
