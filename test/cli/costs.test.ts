import { withApi } from './setup.ts'

const bench = withApi()

const point = (stock: string, rate: number) => ({
  ...{ target: null, stock_value: stock, stock_error: '0.00', fill_rate: rate },
  ...{ stockout_chance: 2.5, short_per_year: '120.00' },
})
const VALUES = {
  ...{ stockout_cost_share: 0.4, carrying_cost_share_per_year: 0.25 },
  ...{ unmet_demand: 'backordered', weeks: 83.4 },
}
const COSTS = { ...VALUES, from: 'configured' }
const QUESTION = 'Nobody has said yet what a stockout costs.'

const shown = {
  ...{ is_set: false, question: QUESTION, costs: COSTS, currency: 'EUR', pairs: 6, simulated: 6 },
  buys: point('1000.00', 99.2),
  groups: [
    {
      ...{ code: 'A', pairs: 2, buys: point('700.00', 99.5) },
      costs: { ...COSTS, from: 'policy:class A', weeks: 120 },
    },
    { code: 'B', pairs: 4, costs: COSTS, buys: point('300.00', 98.1) },
  ],
}

describe('costs show', () => {
  it('says what the costs assume, and what they buy', async () => {
    bench.api.on('GET /costs', { body: shown })
    const { code, stdout } = await bench.run('costs', 'show', '--by', 'group')
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toBe(QUESTION)
    expect(stdout).toContain(
      'A unit short costs as much as carrying one for 83.4 weeks: 40 % of its cost, against 25 % a year.',
    )
    expect(stdout).toMatch(/all +1000\.00 +99\.2 % +2\.5 % +120\.00/)
    expect(stdout).toContain('restock costs set')
    expect(stdout).toContain(
      'A (policy:class A): A unit short costs as much as carrying one for 120',
    )
    expect(stdout).not.toContain('B (configured)')
    expect(bench.api.received[0]!.query.get('by')).toBe('group')
  })
})

describe('costs past', () => {
  const none = { weeks: null, low: null, high: null, found_from: null }
  it('says the ratio with its band, or why it cannot be told', async () => {
    const all = {
      ...{ code: '', pairs: 200, weeks: 11.2, low: 8.5, high: 14.7, reason: null },
      found_from: { pairs: 180, stockouts: 975 },
    }
    const group = { ...none, code: 'A', pairs: 20, reason: 'no_stock_history' }
    const least = { days: 180, receipts: 3, stockouts: 10 }
    bench.api.on('GET /costs/past', {
      body: { from: '2025-11-28', to: '2026-11-27', all, groups: [group], least },
    })
    const { stdout } = await bench.run('costs', 'past')
    expect(stdout).toMatch(/all +11\.2 +8\.5 and 14\.7 +200 +975 stockouts of 180 items/)
    expect(stdout).toMatch(/A +– +– +20 +cannot be told: no stock known for 180 days without gaps/)
    expect(stdout).toContain('restock costs set --weeks 11.2')
  })
})

describe('costs preview and set', () => {
  const steps = [{ term: 'stockout_cost_share', formula: '30 / (100 − 30)', value: 0.4286 }]
  const words = ['--unmet-demand', 'lost', '--margin-percent', '30', '--group', 'seasonal']
  const body = { unmet_demand: 'lost', margin_percent: 30, sku_group: 'seasonal' }

  it('show the arithmetic and what it buys, before it is set', async () => {
    bench.api.on('POST /costs/preview', {
      body: {
        ...{
          sku_group: 'seasonal',
          before: COSTS,
          after: VALUES,
          steps,
          currency: 'EUR',
          pairs: 6,
        },
        ...{ now: point('1000.00', 99.2), then: point('600.00', 95) },
      },
    })
    const { stdout } = await bench.run('costs', 'preview', ...words)
    expect(stdout).toMatch(/stockout cost share +30 \/ \(100 − 30\) +0\.4286/)
    expect(stdout).toMatch(/then +600\.00 +95\.0 %/)
    expect(bench.api.received[0]!.body).toEqual(body)
  })

  it('set what was said', async () => {
    bench.api.on('PUT /costs', {
      body: { sku_group: 'seasonal', costs: { ...COSTS, unmet_demand: 'lost' }, steps },
    })
    const { code, stdout } = await bench.run('costs', 'set', ...words)
    expect(code).toBe(0)
    expect(stdout).toContain('Set. A unit short costs')
    expect(stdout).toContain('Demand that finds no stock is lost.')
    expect(bench.api.received[0]!.body).toEqual(body)
  })

  it('set them for an ABC class', async () => {
    bench.api.on('PUT /costs', { body: { sku_group: null, abc_class: 'A', costs: COSTS, steps } })
    expect((await bench.run('costs', 'set', '--weeks', '40', '--class', 'A')).code).toBe(0)
    expect(bench.api.received[0]!.body).toEqual({ weeks: 40, abc_class: 'A' })
  })

  it.each([[[]], [['--class', 'D']], [['--margin-percent', 'x']], [['--unmet-demand', 'gone']]])(
    'are wrong usage with %p',
    async (args) => {
      expect((await bench.run('costs', 'set', ...args)).code).toBe(2)
      expect(bench.api.received).toHaveLength(0)
    },
  )
})

it('tells a newcomer with the first proposals', async () => {
  const calculation = { on_hand: 1, on_order: 0, p50: 5, horizon_days: 14 }
  const row = {
    ...{ id: 'prop_1', sku: 'A', location: 'L1', quantity: 5, status: 'pending', rationale: '' },
    ...{ urgency: 'due', supplier: null, value: null, currency: null, order_by: null, calculation },
  }
  const page = { data: [row], next_cursor: null, has_more: false, costs_question: QUESTION }
  bench.api.on('GET /proposals', { body: page })
  const { stderr } = await bench.run('proposals', 'list')
  expect(stderr).toContain(`${QUESTION} See "restock costs show".`)
})

it('says with a proposal what its last lot buys', async () => {
  const last_lot = {
    ...{ units: 40, chance: 0.052, on_shelf: 0.95, days: 7, stockout_cost_share: 0.4 },
    ...{ carrying_cost_share_per_year: 0.25, saving: '3.49', carrying_cost: '0.77' },
  }
  const supplier_wait = { days: 7, cost_of_waiting: '1.20', saving: '18.00' }
  const calculation = { on_hand: 1, on_order: 0, p50: 5, horizon_days: 14, last_lot, supplier_wait }
  bench.api.on('GET /proposals/prop_1', {
    body: {
      ...{ id: 'prop_1', version: 1, sku: 'A', location: 'L1', quantity: 5, status: 'pending' },
      ...{ rationale: 'Why.', urgency: 'due', supplier: null, value: null, currency: 'EUR' },
      ...{ order_by: null, calculation },
    },
  })
  const { stdout } = await bench.run('proposals', 'show', 'prop_1')
  expect(stdout).toContain(
    'Last lot of 40: wanted in time with 5.2 %, which saves 3.49 EUR; carrying it costs 0.77 EUR.',
  )
  expect(stdout).toContain(
    "The supplier's order waits 7 days: that costs 1.20 EUR of its lines, and saves 18.00 EUR.",
  )
})
