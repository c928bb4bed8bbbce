import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Proposal } from '../../client/index.ts'
import { layoutOf } from '../../cli/proposals/layout.ts'
import { errorBody } from './fake-api.ts'
import { KEY, withApi } from './setup.ts'
import { parseJson } from '../support/json.ts'

const bench = withApi()

const RATIONALE = 'Expected demand (P50) is 95 over the next 21 days; 12 on hand.'

function proposal(number: number, more: object = {}) {
  return {
    id: `prop_${number}`,
    sku: 'A-100',
    location: 'L1',
    quantity: 120,
    rationale: RATIONALE,
    status: 'pending',
    supplier: 'S-7',
    value: '504.00',
    currency: 'EUR',
    order_by: '2026-11-22',
    urgency: 'stockout_before_arrival',
    calculation: { horizon_days: 21, p50: 95, on_hand: 12, on_order: 20 },
    ...more,
  }
}

function page(rows: object[], next: string | null = null) {
  return { body: { data: rows, next_cursor: next, has_more: next !== null } }
}

/** `count` proposals behind a list that pages as the contract says. */
function serve(count: number) {
  bench.api.on('GET /proposals', ({ query }) => {
    const start = Number(query.get('cursor') ?? 0)
    const limit = Number(query.get('limit') ?? 50)
    const end = Math.min(count, start + limit)
    const rows = Array.from({ length: end - start }, (_, index) => proposal(start + index + 1))
    return page(rows, end < count ? String(end) : null)
  })
}

describe('proposals list', () => {
  it('prints a table that a buyer understands', async () => {
    bench.api.on(
      'GET /proposals',
      page([proposal(1, { abc_class: 'B' }), proposal(2, { value: null, supplier: null })]),
    )
    const { code, stdout, stderr } = await bench.run('proposals', 'list', '--status', 'pending')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head, first, second] = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(head).toEqual([
      ...['ID', 'Urgency', 'SKU', 'Location', 'ABC', 'Supplier', 'Quantity', 'Value'],
      ...['Order by', 'On hand', 'On order', 'Demand P50', 'Status'],
    ])
    expect(first).toEqual([
      ...['prop_1', 'stockout before delivery', 'A-100', 'L1', 'B', 'S-7', '120', '504.00 EUR'],
      ...['2026-11-22', '12', '20', '95 in 21 d', 'pending'],
    ])
    expect(second).toEqual(expect.arrayContaining(['prop_2', '–']))
    const [request] = bench.api.received
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(request?.query.toString()).toBe('status=pending&sort=urgency&limit=50')
  })

  it.each([80, 120])('says the class on the second line of a proposal at %i columns', (width) => {
    const rows = [
      proposal(1, { urgency: 'due', abc_class: 'B' }),
      proposal(2, { urgency: 'due', abc_class: null, supplier: null }),
    ] as Proposal[]
    const lines = layoutOf(rows, false, width)
    const numbers = 'on hand 12 · on order 20 · P50 95 in 21 d'
    expect([lines[2], lines[4]]).toEqual([
      `    pending · class B · S-7 · ${numbers}`,
      `    pending · ${numbers}`,
    ])
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  it('passes filters on as they are', async () => {
    bench.api.on('GET /proposals', page([]))
    const filters = ['--status', 'pending', '--status', 'snoozed', '--location', 'Köln & Süd']
    filters.push('--abc-class', 'A')
    const { code, stdout, stderr } = await bench.run('proposals', 'list', ...filters)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('no such proposals')
    const query = bench.api.received[0]?.query
    expect(query?.getAll('status')).toEqual(['pending', 'snoozed'])
    expect(query?.get('location')).toBe('Köln & Süd')
    expect([query?.get('abc_class'), query?.has('abcClass')]).toEqual(['A', false])
  })

  it('says of an empty list what is blocked, and which file would name it', async () => {
    bench.api.on('GET /proposals', page([]))
    const blocked = (sku: string, missing: string) => ({ sku, location: 'L1', reason: '', missing })
    bench.api.on(
      'GET /proposals/blocked',
      page([blocked('A', 'stock'), blocked('A', 'lead_time'), blocked('B', 'stock')]),
    )
    const streams = ['stock', 'planning'].map((stream) => ({ stream, status: 'absent' }))
    bench.api.on('GET /sources', page([{ id: 'src_2', type: 'csv', streams }]))
    const { code, stderr } = await bench.run('proposals', 'list')
    expect([code, stderr]).toEqual([
      0,
      'There are no such proposals. 2 pairs are blocked, missing: 2 stock, 1 lead time; there is no stock.csv in src_2 and ' +
        'no planning.csv in src_2. See "restock proposals blocked".\n',
    ])
  })

  it('shows what is due today, and pending unless it is told otherwise', async () => {
    bench.api.on('GET /proposals', page([]))
    await bench.run('proposals', 'list', '--due')
    const query = Object.fromEntries(bench.api.received[0]!.query)
    expect(query).toMatchObject({ status: 'pending', due: 'true' })
  })

  it('shows the rationale where it is asked for', async () => {
    bench.api.on('GET /proposals', page([proposal(1)]))
    const { stdout } = await bench.run('proposals', 'list', '--why')
    expect(stdout.split('\n')[2]).toBe(`    ${RATIONALE}`)
  })

  it('reads on to the limit and says how many more there are', async () => {
    serve(450)
    const { stdout, stderr } = await bench.run('proposals', 'list', '--limit', '230')
    expect(stdout.trimEnd().split('\n')).toHaveLength(231)
    expect(stdout).toContain('prop_230 ')
    expect(stderr).toContain('230 proposals shown; 220 more')
  })

  it('gives up counting where there are very many', async () => {
    serve(5000)
    const { stderr } = await bench.run('proposals', 'list', '--limit', '1')
    expect(stderr).toContain('1 proposal shown; over 1000 more')
    expect(bench.api.received).toHaveLength(6)
  })

  it("prints the API's body alone and unchanged as JSON", async () => {
    const body = `{ "data": [],\n "next_cursor": null, "has_more": false, "new": "\u00e4" }`
    bench.api.on('GET /proposals', { body })
    const { code, stdout, stderr } = await bench.run('proposals', 'list', '--json')
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${body}\n`, stderr: '' })
    expect(bench.api.received[0]?.query.toString()).toBe('status=pending')
  })

  it.each([
    ['--limit', '0'],
    ['--limit', 'many'],
    ['--sort', 'name'],
    ['--limit', '201', '--json'],
    ['--colour'],
  ])('is wrong usage with %s %s', async (...args) => {
    const { code, stdout, stderr } = await bench.run('proposals', 'list', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: /)
    expect(bench.api.received).toHaveLength(0)
  })

  it('keeps terminal commands in names from the terminal', async () => {
    const sku = 'A\u001b[31m\u009b2J\u202eB\nC'
    bench.api.on(
      'GET /proposals',
      page([proposal(1, { sku, rationale: `\u001b]0;x\u0007${sku}` })]),
    )
    const { stdout } = await bench.run('proposals', 'list', '--why')
    expect(stdout).toContain('A[31m2JB C')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/) // eslint-disable-line no-control-regex
  })

  it('refuses an answer of another contract', async () => {
    bench.api.on('GET /proposals', page([{ id: 'prop_1' }]))
    const { code, stderr } = await bench.run('proposals', 'list')
    expect(code).toBe(1)
    expect(stderr).toContain('not as expected (data.0.sku)')
  })
})

describe('proposals approve', () => {
  it('approves with quantity and comment', async () => {
    bench.api.on('POST /proposals/prop_1/approve', { body: proposal(1, { status: 'approved' }) })
    const args = ['prop_1', '--quantity', '160', '--comment', 'week 49']
    const { code, stdout } = await bench.run('proposals', 'approve', ...args)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Approved prop_1: 120 of A-100 at L1.\n' })
    expect(bench.api.received.at(-1)?.body).toEqual({ quantity: 160, comment: 'week 49' })
  })

  it('shows what it approves, and approves that version alone', async () => {
    bench.api.on('GET /proposals/prop_1', { body: proposal(1, { version: 7 }) })
    bench.api.on('POST /proposals/prop_1/approve', { body: proposal(1, { status: 'approved' }) })
    const approve = async (...args: string[]) => {
      const outcome = await bench.run('proposals', 'approve', ...args)
      return { ...outcome, sent: bench.api.received.at(-1)?.body }
    }
    const { stderr, sent } = await approve('prop_1')
    expect(stderr).toMatch(/prop_1 .*A-100 .*120 +504\.00 EUR/)
    expect(sent).toEqual({ expected_version: 7 })
    expect((await approve('prop_1@5')).sent).toEqual({ expected_version: 5 })
    expect((await approve('prop_1', '--expected-version', '3')).sent).toEqual({
      expected_version: 3,
    })
    const json = await approve('prop_1', '--json')
    expect(parseJson(json.stdout)).toMatchObject({ id: 'prop_1', status: 'approved' })
  })

  it('says that a key which may not read approves what it has not shown', async () => {
    const body = errorBody('insufficient_scope', 'The key needs the scope proposals:read.')
    bench.api.on('GET /proposals/prop_1', { status: 403, body })
    bench.api.on('POST /proposals/prop_1/approve', { body: proposal(1, { status: 'approved' }) })
    const { code, stderr } = await bench.run('proposals', 'approve', 'prop_1')
    expect(code).toBe(0)
    expect(stderr).toContain('as it stands now')
    expect(bench.api.received.at(-1)?.body).toEqual({})
  })

  it('says when a second approver is needed', async () => {
    const body = proposal(1, { status: 'awaiting_second_approval' })
    bench.api.on('POST /proposals/prop_1/approve', { status: 202, body })
    const { code, stdout } = await bench.run('proposals', 'approve', 'prop_1')
    expect(code).toBe(0)
    expect(stdout).toContain('waiting for a second approver')
  })

  it('prints a refusal with its code and details, and as JSON with its body', async () => {
    const body = errorBody('quantity_not_orderable', 'Not a multiple of the lot size', {
      details: ['120', '160'].map((message) => ({ code: 'nearest_quantity', message })),
    })
    bench.api.on('POST /proposals/prop_1/approve', { status: 422, body })
    bench.api.on('GET /proposals/prop_1', { status: 404, body: errorBody('not_found', 'No.') })
    const plain = await bench.run('proposals', 'approve', 'prop_1', '--quantity', '130')
    expect(plain).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: Not a multiple of the lot size (quantity_not_orderable). Nearest to it: 120 or 160.\n',
    })
    const json = await bench.run('proposals', 'approve', 'prop_1', '--json')
    expect({ code: json.code, body: parseJson<object>(json.stdout) }).toEqual({ code: 1, body })
  })

  it('cannot leave its path by an odd id', async () => {
    const { code } = await bench.run('proposals', 'approve', '../keys?x=1')
    expect(code).toBe(1)
    expect(bench.api.received.at(-1)?.path).toBe('/proposals/..%2Fkeys%3Fx%3D1/approve')
  })

  it.each(['0', '-1', '1.5', '1e3', ''])(
    'is wrong usage with a quantity of "%s"',
    async (quantity) => {
      const { code } = await bench.run('proposals', 'approve', 'prop_1', `--quantity=${quantity}`)
      expect(code).toBe(2)
      expect(bench.api.received).toHaveLength(0)
    },
  )
})

describe('proposals approve --all', () => {
  interface Sent {
    decisions: { id: string; action: string; expected_version: number; comment?: string }[]
  }

  /** Proposals that are listed, and decisions that the service takes but for some. */
  function serveAll(count: number, refused: string[] = []) {
    const rows = Array.from({ length: count }, (_, at) => proposal(at + 1, { version: at + 3 }))
    bench.api.on('GET /proposals', page(rows))
    bench.api.on('POST /proposals/decisions', ({ body }) => {
      const results = (body as Sent).decisions.map(({ id }, index) =>
        refused.includes(id)
          ? {
              ...{ index, id, status: 'error' },
              error: { code: 'version_mismatch', message: 'quantity was 60, is 210' },
            }
          : { index, id, status: 'ok', proposal: proposal(1, { id, status: 'approved' }) },
      )
      const failed = results.filter(({ status }) => status === 'error').length
      const summary = { requested: results.length, succeeded: results.length - failed, failed }
      return { body: { results, summary } }
    })
  }

  const decisionsSent = () =>
    bench.api.received
      .filter(({ path }) => path === '/proposals/decisions')
      .map(({ body }) => (body as Sent).decisions)

  it('shows what the filters choose with its totals, and approves the versions shown', async () => {
    serveAll(3)
    const args = ['--all', '--due', '--supplier', 'S-7', '--comment', 'week 49']
    const { code, stdout, stderr } = await bench.run('proposals', 'approve', ...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[1]).toMatch(/^prop_1 /)
    expect(lines.slice(4)).toEqual([
      'Total: 3 proposals, 360 units, 1512.00 EUR.',
      'Approved 3 of 3.',
    ])
    expect(Object.fromEntries(bench.api.received[0]!.query)).toMatchObject({
      ...{ status: 'pending', supplier: 'S-7', sort: 'urgency' },
      due: 'true',
    })
    expect(decisionsSent()).toEqual([
      [1, 2, 3].map((at) => ({
        ...{ id: `prop_${at}`, action: 'approve', expected_version: at + 2, comment: 'week 49' },
      })),
    ])
  })

  it('names what was refused, and ends with 1', async () => {
    serveAll(3, ['prop_2'])
    const { code, stdout, stderr } = await bench.run('proposals', 'approve', '--all')
    expect(code).toBe(1)
    expect(stdout).toContain('Approved 2 of 3.')
    expect(stderr).toContain('prop_2: quantity was 60, is 210 (version_mismatch)')
  })

  it('only shows with --dry-run, and prints the answer alone with --json', async () => {
    serveAll(2)
    const dry = await bench.run('proposals', 'approve', '--all', '--dry-run')
    expect(dry.stdout).toContain('Total: 2 proposals')
    expect(decisionsSent()).toEqual([])
    const json = await bench.run('proposals', 'approve', '--all', '--json')
    expect(parseJson(json.stdout)).toMatchObject({ summary: { requested: 2, succeeded: 2 } })
    expect(json.stderr).toContain('Total: 2 proposals')
  })

  it('rejects many in the same way, with a reason', async () => {
    serveAll(2)
    const args = ['--all', '--supplier', 'S-7', '--reason', 'wrong_supplier']
    const { code, stdout } = await bench.run('proposals', 'reject', ...args)
    expect([code, stdout.trimEnd().split('\n').slice(3)]).toEqual([
      0,
      ['Total: 2 proposals, 240 units, 1008.00 EUR.', 'Rejected 2 of 2.'],
    ])
    expect(decisionsSent()[0]).toEqual(
      [1, 2].map((at) => ({
        ...{ id: `prop_${at}`, action: 'reject', reason: 'wrong_supplier' },
        expected_version: at + 2,
      })),
    )
    expect((await bench.run('proposals', 'reject')).code).toBe(2)
    expect((await bench.run('proposals', 'reject', 'prop_1', '--due')).code).toBe(2)
  })

  it('says what stays where the service goes away in the middle', async () => {
    serveAll(150)
    let calls = 0
    bench.api.on('POST /proposals/decisions', ({ body }) => {
      if (calls++) return { status: 502, body: 'gone' }
      const results = (body as Sent).decisions.map(({ id }, index) => ({
        ...{ index, id, status: 'ok', proposal: proposal(1, { id, status: 'approved' }) },
      }))
      return { body: { results, summary: { requested: 100, succeeded: 100, failed: 0 } } }
    })
    const { code, stderr } = await bench.run('proposals', 'approve', '--all')
    expect(code).toBe(1)
    expect(stderr).toContain('Approved 100 so far, which stays. Of the next 50 it is not known')
  })

  it.each([[[]], [['prop_1', '--all']], [['prop_1', '--due']], [['--all', '--quantity', '10']]])(
    'is wrong usage: approve %j',
    async (args) => {
      const { code } = await bench.run('proposals', 'approve', ...args)
      expect(code).toBe(2)
      expect(bench.api.received).toHaveLength(0)
    },
  )
})

describe('proposals reject', () => {
  it('rejects with a reason, and prints an empty object as JSON', async () => {
    bench.api.on('DELETE /proposals/prop_1', { status: 204 })
    const plain = await bench.run('proposals', 'reject', 'prop_1', '--reason', 'too_much')
    expect(plain).toMatchObject({ code: 0, stdout: 'Rejected prop_1.\n' })
    expect(bench.api.received[0]?.query.toString()).toBe('reason=too_much')
    await bench.run('proposals', 'reject', 'prop_1', '--comment', 'by phone')
    expect(bench.api.received[1]?.query.toString()).toBe('comment=by+phone')
    const json = await bench.run('proposals', 'reject', 'prop_1', '--json')
    expect(json).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
  })

  it('knows the reasons', async () => {
    const { code, stderr } = await bench.run('proposals', 'reject', 'prop_1', '--reason', 'mood')
    expect(code).toBe(2)
    expect(stderr).toContain('discontinued')
  })
})

describe('proposals show, risk, history', () => {
  it('shows a proposal with its reasons', async () => {
    bench.api.on('GET /proposals/prop_1', { body: proposal(1, { version: 2 }) })
    const { code, stdout } = await bench.run('proposals', 'show', 'prop_1')
    expect([code, stdout.split('\n')[2]?.trim()]).toEqual([0, RATIONALE])
  })

  it('shows what is left of a contract over money', async () => {
    const money = { agreed_value: '50000.00', remaining_value: '12399.50', currency: null }
    const value_contract = { document: 'V-1', line: '10', valid_until: '2027-01-31', ...money }
    bench.api.on('GET /proposals/prop_1', {
      body: proposal(1, { version: 2, contract: null, value_contract }),
    })
    const { stdout, stderr } = await bench.run('proposals', 'show', 'prop_1')
    expect(stderr).toBe('')
    expect(stdout).toMatch(
      /Contract V-1\/10: 12,?399\.50 EUR of 50,?000\.00 EUR left, until 2027-01-31\./,
    )
    const row = {
      ...{ id: 'd', document: 'V-1', line: '10', kind: 'contract', sku: 'A', location: null },
      ...{ quantity: 0, remaining: 0, standing: 'contract', supplier: null, due: null },
      ...{ ...money, currency: 'EUR' },
    }
    bench.api.on('GET /drafts', page([row]))
    expect((await bench.run('drafts', 'list')).stdout).toMatch(/50,?000\.00 EUR +12,?399\.50 EUR/)
  })

  it('shows the risk of three quantities', async () => {
    const risk = {
      ...{ stockout_probability: 0.5, stockout_day: '2026-11-29', days_of_supply_p50: 3 },
      ...{ quantity: 0, days_of_supply_p90: 2, value: '0.00' },
    }
    const asked = { ...risk, quantity: 160, stockout_day: null, stockout_probability: 0.0412 }
    const body = { id: 'prop_1', as_of: '2026-11-20', currency: 'EUR', none: risk, asked }
    bench.api.on('GET /proposals/prop_1/risk', { body: { ...body, proposed: risk } })
    const { code, stdout } = await bench.run('proposals', 'risk', 'prop_1', '--quantity', '160')
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toMatchObject([
      [
        ...['Quantity', 'Chance of stockout', 'Empty on', 'Days of supply', 'at high demand'],
        'Value EUR',
      ],
      ['0', '50.0 %', '2026-11-29', '3', '2', '0.00'],
      ['0', '50.0 %', '2026-11-29', '3', '2', '0.00'],
      ['160', '4.1 %', '–', '3', '2', '0.00'],
      [''],
    ])
    expect(bench.api.received[0]?.query.toString()).toBe('quantity=160')
  })

  it('lists what happened, and by whom', async () => {
    const entry = {
      ...{ at: '2026-11-20T06:00:00Z', by: 'ann', on_behalf_of: 'bob', via: 'task_center' },
      ...{ event: 'approved', quantity: 120, comment: null, version: 2 },
    }
    const body = { data: [entry], next_cursor: null, has_more: false }
    bench.api.on('GET /proposals/prop_1/history', { body })
    const { stdout } = await bench.run('proposals', 'history', 'prop_1')
    expect(stdout.split('\n')[1]?.split(/ {2,}/)).toEqual([
      ...['2026-11-20T06:00:00Z', 'approved', '120', 'ann for bob', 'task center', '–'],
    ])
  })
})

describe('proposals snooze, cancel', () => {
  it('snoozes until the beginning of a day', async () => {
    const until = '2099-12-01T00:00:00.000Z'
    const body = proposal(1, { status: 'snoozed', snoozed_until: until })
    bench.api.on('POST /proposals/prop_1/snooze', { body })
    const snooze = ['proposals', 'snooze', 'prop_1', '--until']
    const { stdout } = await bench.run(...snooze, '2099-12-01')
    expect(stdout).toBe(`Snoozed prop_1 until ${until}.\n`)
    expect(bench.api.received[0]?.body).toEqual({ until })
    for (const day of ['tomorrow', '2099-02-30', '2099-02-29T06:00:00Z', '2099-12-01T06:00:00']) {
      const wrong = await bench.run(...snooze, day)
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('2026-12-01')])
    }
    expect(bench.api.received).toHaveLength(1)
  })

  it('cancels with a reason, and not without', async () => {
    bench.api.on('POST /proposals/prop_1/cancel', { body: proposal(1, { status: 'cancelled' }) })
    const cancel = ['proposals', 'cancel', 'prop_1']
    expect((await bench.run(...cancel)).code).toBe(2)
    const { stdout } = await bench.run(...cancel, '--reason', 'price', '--comment', 'by phone')
    expect(stdout).toBe('Cancelled prop_1.\n')
    expect(bench.api.received[0]?.body).toEqual({ reason: 'price', comment: 'by phone' })
  })
})

describe('proposals blocked', () => {
  const pair = { sku: 'A-3', location: 'L1', missing: 'lead_time', reason: 'None is known.' }
  const body = { data: [pair], next_cursor: null, has_more: false }

  it('lists what each pair is missing', async () => {
    bench.api.on('GET /proposals/blocked', { body })
    const { stdout } = await bench.run('proposals', 'blocked')
    expect(stdout.split('\n')[1]?.split(/ {2,}/)).toEqual([
      ...['A-3', 'L1', 'lead time', 'None is known.'],
    ])
  })

  it('is what an empty list of proposals points to', async () => {
    bench.api.on('GET /proposals', page([]))
    bench.api.on('GET /proposals/blocked', { body })
    const { stderr } = await bench.run('proposals', 'list')
    expect(stderr).toContain('1 pair is blocked, missing: 1 lead time')
  })
})

describe('proposals explain', () => {
  const lines = [
    { term: 'target_stock', formula: 'P90 of demand over 21 days', value: 140 },
    { term: 'on_hand', formula: 'less', value: 12 },
    { term: 'quantity', formula: 'what was proposed', value: 120 },
  ]
  const decision = {
    ...{ event: 'approved', at: '2026-11-20T06:00:00Z', by: 'ann', on_behalf_of: 'bob', via: 'ui' },
    ...{ quantity: 160, reason: null, comment: 'week 49', engine_version: '0.2.0', version: 2 },
    ...{ calculation: { quantity: 120 }, lines, replayed_quantity: 120 },
  }
  const body = {
    ...{ id: 'prop_1', quantity: 160, basis: null, lines, decisions: [decision] },
    calculation: { rules: { lead_time: 'policy: sku A-100' } },
    waterfall: {
      horizon_days: 21,
      steps: [
        { step: 'last_year', amount: 90 },
        { step: 'trend', amount: 25 },
        { step: 'weekly_seasonality', amount: -3 },
        { step: 'forecast', amount: 112 },
      ],
    },
    cleaned_days: [
      { date: '2026-10-01', booked: 0, taken: 7.25, reasons: ['out_of_stock'] },
      { date: '2026-10-02', booked: 1, taken: 8, reasons: ['out_of_stock'] },
      { date: '2026-10-03', booked: 900, taken: 71.4, reasons: ['outlier'] },
      { date: '2026-11-19', booked: 0, taken: null, reasons: ['out_of_stock'] },
    ],
  }

  it('prints the sum line by line, the rules, and each decision with its sum of then', async () => {
    bench.api.on('GET /proposals/prop_1/evidence', { body })
    const { code, stdout } = await bench.run('proposals', 'explain', 'prop_1')
    expect(code).toBe(0)
    const printed = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(printed.slice(0, 4)).toEqual([
      ['Term', 'Value', 'Calculation'],
      ['target stock', '140', 'P90 of demand over 21 days'],
      ['on hand', '12', 'less'],
      ['quantity', '120', 'what was proposed'],
    ])
    expect(stdout).toContain('By rule: lead_time policy: sku A-100\nTo be ordered: 160\n')
    expect(printed).toEqual(
      expect.arrayContaining([
        ['From last year to this forecast, 21 days:'],
        ['same days a year ago', '90'],
        ['change of the level since then', '+25'],
        ['weekly seasonality', '-3'],
        ['forecast (P50)', '112'],
        ['2026-10-01', '2026-10-02', '1', '15.3', 'out of stock'],
        ['2026-10-03', '2026-10-03', '900', '71.4', 'outlier'],
        ['2026-11-19', '2026-11-19', '0', 'left out', 'out of stock'],
      ]),
    )
    expect(stdout).toContain('2026-11-20T06:00:00Z approved 160 by ann for bob (ui) week 49')
    expect(stdout).toContain('Recalculated from the stored inputs: 120, the same (engine 0.2.0).')
  })

  it('prints the body alone as JSON', async () => {
    bench.api.on('GET /proposals/prop_1/evidence', { body })
    const { stdout, stderr } = await bench.run('proposals', 'explain', 'prop_1', '--json')
    expect([JSON.parse(stdout), stderr]).toEqual([body, ''])
  })
})

describe('proposals export', () => {
  const csv = 'external_reference,quantity\nprop_1,120\n'

  it('prints the CSV, or writes it into a file', async () => {
    bench.api.on('GET /proposals/export', { body: csv, headers: { 'content-type': 'text/csv' } })
    expect(await bench.run('proposals', 'export')).toEqual({ code: 0, stdout: csv, stderr: '' })
    expect(bench.api.received[0]?.query.toString()).toBe('status=approved&format=csv')

    const folder = mkdtempSync(join(tmpdir(), 'restock-'))
    const file = join(folder, 'orders.csv')
    const { code, stdout } = await bench.run('proposals', 'export', '--out', file)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(readFileSync(file, 'utf8')).toBe(csv)
    rmSync(folder, { recursive: true })
  })

  it('says where a file cannot be written', async () => {
    bench.api.on('GET /proposals/export', { body: csv, headers: { 'content-type': 'text/csv' } })
    const { code, stderr } = await bench.run('proposals', 'export', '--out', '/no/such/folder/x')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: The file cannot be written/)
  })
})

describe('proposals hand-over', () => {
  const taken = (number: number, more: object = {}) => ({
    ...{ id: `ho_${number}`, source_id: 'src_1', supplier: null, form: 's4hana', format: 'xlsx' },
    ...{ file_name: `ho_${number}-s4hana.xlsx`, line_count: 3, repeated: 0, ...more },
  })
  const bytes = Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0])
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'restock-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  function serveFiles(data: object[]) {
    bench.api.on('POST /handovers', { status: 201, body: { data } })
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="x"',
    }
    for (const { id } of data as { id: string }[])
      bench.api.on(`GET /handovers/${id}/file`, { body: bytes, headers })
  }

  it('writes the file byte by byte', async () => {
    serveFiles([taken(12)])
    const out = join(folder, 'orders.xlsx')
    const { code, stdout } = await bench.run('proposals', 'hand-over', 'prop_1', '--out', out)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `ho_12: 3 lines, written to ${out}.\n` })
    expect(readFileSync(out).equals(bytes)).toBe(true)
    expect(bench.api.received[0]!.body).toEqual({ proposal_ids: ['prop_1'] })
  })

  it('writes a file for each supplier into a folder', async () => {
    serveFiles([taken(13, { supplier: 'S-7' }), taken(14, { supplier: '../S 9', repeated: 1 })])
    const args = ['--per-supplier', '--again', '--out', folder]
    const { code, stdout } = await bench.run('proposals', 'hand-over', ...args)
    expect(code).toBe(0)
    expect(stdout).toContain('ho_14: 3 lines, 1 of them not for the first time')
    expect(readFileSync(join(folder, 'S-7-ho_13-s4hana.xlsx')).equals(bytes)).toBe(true)
    expect(readFileSync(join(folder, '.._S_9-ho_14-s4hana.xlsx')).equals(bytes)).toBe(true)
    expect(bench.api.received[0]!.body).toEqual({
      ...{ per_supplier: true, taken_before: 'again' },
    })
  })

  it('says who took a line before, and what to do', async () => {
    const message = 'prop_1 was handed over by ann at 2026-11-20T06:00:00Z (ho_12).'
    bench.api.on('POST /handovers', {
      status: 409,
      body: errorBody('already_handed_over', 'One line was handed over before.', {
        details: [{ code: 'already_handed_over', message, target: 'prop_1' }],
      }),
    })
    const { code, stdout, stderr } = await bench.run('proposals', 'hand-over')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).toContain('--new leaves them out, --again takes them again')
  })
})
