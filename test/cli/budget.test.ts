import { parseJson } from '../support/json.ts'
import { errorBody } from './fake-api.ts'
import { withApi } from './setup.ts'

const bench = withApi()
const PATH = 'GET /proposals/budget'

const answer = {
  data: [
    {
      ...{ id: 'prop_1042', sku: 'A-100', location: 'L1', quantity: 80, proposed_quantity: 120 },
      ...{ value: '336.00', value_at_risk: '24.20' },
    },
  ],
  ...{ value: '336.00', units: 80, currency: 'EUR', left_value: '164.00', left_units: null },
  not_taken: { lines: 1, value: '420.00', value_at_risk: '15.60' },
  left_out: { other_currency: 0, without_cost: 0 },
}

describe('proposals budget', () => {
  it('prints what the money pays, with totals', async () => {
    bench.api.on(PATH, { body: answer })
    const args = ['--supplier', 'S-7', '--budget', '500', '--currency', 'EUR']
    const { code, stdout, stderr } = await bench.run('proposals', 'budget', ...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toEqual([
      'ID         SKU    Location  Quantity  Proposed   Value  Cost of waiting',
      'prop_1042  A-100  L1              80       120  336.00            24.20',
      'Total: 1 line, 80 units, 336.00 EUR. Left: 164.00 EUR.',
      'Not taken: 1 whole line, 420.00 EUR in all; waiting with it costs 15.60 EUR.',
    ])
    const query = Object.fromEntries(bench.api.received[0]!.query)
    expect(query).toEqual({ supplier: 'S-7', budget: '500', currency: 'EUR' })
  })

  it('says where nothing fits, and what is left out', async () => {
    const left_out = { other_currency: 2, without_cost: 1 }
    bench.api.on(PATH, {
      body: { ...answer, data: [], left_value: null, left_units: 5, left_out, currency: null },
    })
    const { code, stdout, stderr } = await bench.run('proposals', 'budget', '--units', '5')
    expect(code).toBe(0)
    expect(stdout).toContain('Left: 5 units.')
    expect(stderr).toContain('The budget pays no pending proposal.')
    expect(stderr).toContain('Left out: 2 proposals in another currency.')
    expect(stderr).toContain('Left out: 1 proposal without a unit cost.')
  })

  it("prints the API's answer as JSON", async () => {
    bench.api.on(PATH, { body: answer })
    const { stdout } = await bench.run('proposals', 'budget', '--budget', '500', '--json')
    expect(parseJson<object>(stdout)).toEqual(answer)
  })

  it.each([[], ['--supplier', 'S-7'], ['--units', 'x']])(
    'is wrong usage with %p',
    async (...args) => {
      expect((await bench.run('proposals', 'budget', ...args)).code).toBe(2)
      expect(bench.api.received).toHaveLength(0)
    },
  )

  it('prints a refusal', async () => {
    const message = 'The proposals are in several currencies (EUR, USD): name one.'
    bench.api.on(PATH, { status: 400, body: errorBody('invalid_parameter', message) })
    const { code, stderr } = await bench.run('proposals', 'budget', '--budget', '5')
    expect(code).toBe(1)
    expect(stderr).toContain('in several currencies (EUR, USD): name one (invalid_parameter)')
  })
})
