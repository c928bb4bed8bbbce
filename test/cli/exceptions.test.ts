import { withApi } from './setup.ts'

const bench = withApi()
const list = (data: object[], next: string | null = null) => ({
  body: { data, next_cursor: next, has_more: next !== null },
})

const exception = {
  ...{ id: 'exc_12', kind: 'overdue_order', sku: 'A-100', location: 'L1', supplier: 'S-7' },
  ...{ document: '4500000017/10', quantity: 60, from: '2026-11-19', to: null },
  ...{ value: '150.00', currency: 'EUR', settled_at: null },
  message: 'Order 4500000017/10 was due on 2026-11-19, 3 days before 2026-11-22.',
}

describe('exceptions list', () => {
  it('shows what is the matter', async () => {
    bench.api.on('GET /exceptions', list([exception, { ...exception, value: null }], 'next'))
    const { code, stdout, stderr } = await bench.run('exceptions', 'list')
    expect(code).toBe(0)
    const [head, first, second] = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(head).toEqual([
      ...['ID', 'Kind', 'SKU', 'Location', 'Supplier', 'Quantity', 'Value', 'Details'],
    ])
    expect(first).toEqual([
      ...['exc_12', 'overdue order', 'A-100', 'L1', 'S-7', '60', '150.00 EUR', exception.message],
    ])
    expect(second).toContain('–')
    expect(stderr).toContain('--cursor next')
  })

  it('asks for what the options say', async () => {
    bench.api.on('GET /exceptions', list([]))
    const { code, stderr } = await bench.run(
      ...['exceptions', 'list', '--kind', 'expedite,postpone', '--kind', 'overstock'],
      ...['--location', 'L1', '--sku', 'A-100', '--supplier', 'S-7', '--settled', '--limit', '5'],
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'There are no such exceptions.\n' })
    const { query } = bench.api.received[0]!
    expect(query.getAll('kind')).toEqual(['expedite', 'postpone', 'overstock'])
    query.delete('kind')
    expect(Object.fromEntries(query)).toEqual({
      ...{ location: 'L1', sku: 'A-100', supplier: 'S-7', settled: 'true', limit: '5' },
    })
  })

  it('answers the API’s own JSON', async () => {
    bench.api.on('GET /exceptions', list([exception]))
    const { stdout } = await bench.run('exceptions', 'list', '--json')
    expect(JSON.parse(stdout)).toEqual(list([exception]).body)
  })
})

describe('exceptions settle', () => {
  it('says what has been settled', async () => {
    bench.api.on('POST /exceptions/exc_12/settle', { body: exception })
    const { code, stdout } = await bench.run(
      ...['exceptions', 'settle', 'exc_12', '--comment', 'arrives on Monday'],
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Settled exc_12: overdue order, A-100 at L1.\n',
    })
    expect(bench.api.received[0]!.body).toEqual({ comment: 'arrives on Monday' })
  })

  it.each([[['settle']], [['list', '--limit', '0']], [['list', '--colour', 'red']]])(
    'is wrong usage: %j',
    async (args) => {
      expect((await bench.run('exceptions', ...args)).code).toBe(2)
    },
  )
})
