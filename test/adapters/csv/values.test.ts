import fc from '../../support/properties.ts'
import { csvOptions, type Format } from '../../../adapters/csv/options.ts'
import { Row } from '../../../adapters/csv/row.ts'
import { type Table, TABLES } from '../../../adapters/csv/tables.ts'
import { problemOf } from '../../../adapters/rows/values.ts'
import { RECORDS } from '../../../adapters/records.ts'
import { DATE_FORMATS } from '../../../tables/dates.ts'
import { Formats } from '../../../tables/formats.ts'
import { demandFile, temporaryRoot } from './files.ts'

const { pages, put, read } = temporaryRoot()

const A_DAY = {
  'YYYY-MM-DD': '2024-02-28',
  'DD.MM.YYYY': '28.02.2024',
  'MM/DD/YYYY': '02/28/2024',
  'DD/MM/YYYY': '28/02/2024',
  'YYYY/MM/DD': '2024/02/28',
  YYYYMMDD: '20240228',
}

/** The demand of a row before a good one, or the column at fault: a file of bad rows alone is refused as a whole. */
async function demand(cells: Partial<Record<string, string>>, options: Partial<Format> = {}) {
  const good = { sku: 'A', location: 'L1', date: A_DAY[options.date_format ?? 'YYYY-MM-DD'] }
  const row = { ...good, sku: 'B', quantity: '1', ...cells }
  const other = { ...row, ...good, quantity: '1', promo: '' }
  const written = [
    Object.keys(row),
    Object.values(row),
    Object.keys(row).map((key) => other[key as keyof typeof other]),
  ]
  const content = written.map((each) => `${each.join(';')}\n`).join('')
  const { records, quarantined } = await read('demand', { 'demand.csv': content }, options)
  expect(records.length + quarantined.length).toBe(2)
  const [bad] = quarantined
  return bad ? `${bad.code} ${bad.target}` : records[0]!
}

describe('a number in a csv file', () => {
  it.each([
    ['0', 0],
    ['007', 7],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-0', 0],
    ['1e+05', 100_000],
    ['1000000000000', 1e12],
  ])('is %s', async (quantity, value) => {
    expect(await demand({ quantity })).toMatchObject({ quantity: value })
  })

  it.each(
    [
      '-1',
      '1.234.5',
      '1,23.5',
      '12,34,567',
      "1'00",
      '1 00',
      'NaN',
      'Infinity',
      '1e999',
      '1e13',
    ].concat(['0x10', '1_000', 'one', '½', '+', '-', '.', '1-', '٣', '1e', '€5', '1'.repeat(400)]),
  )('is not %s', async (quantity) => {
    expect(await demand({ quantity })).toBe('invalid_value quantity')
  })

  it('has the decimal sign that was declared, and no other', async () => {
    const options = { decimal: ',' } as const
    expect(await demand({ quantity: '1,5' }, options)).toMatchObject({ quantity: 1.5 })
    expect(await demand({ quantity: '1.5' }, options)).toBe('invalid_value quantity')
    expect(await demand({ quantity: '1.234,5' }, options)).toMatchObject({ quantity: 1234.5 })
    expect(await demand({ quantity: '1,234' }, { decimal: '.' })).toMatchObject({ quantity: 1234 })
    expect(await demand({ quantity: '0,234' }, { decimal: '.' })).toBe('invalid_value quantity')
  })

  it('is read in linear time', async () => {
    const quantity = `${'1'.repeat(500_000)}x`
    const before = performance.now()
    expect(await demand({ quantity })).toBe('invalid_value quantity')
    expect(performance.now() - before).toBeLessThan(20_000)
  })
})

describe('a date in a csv file', () => {
  it.each([
    ['YYYY-MM-DD', '2024-02-29', '2024-02-29'],
    ['DD.MM.YYYY', '29.02.2024', '2024-02-29'],
    ['DD.MM.YYYY', '1.2.2024', '2024-02-01'],
    ['MM/DD/YYYY', '02/29/2024', '2024-02-29'],
    ['DD/MM/YYYY', '03/04/2024', '2024-04-03'],
    ['MM/DD/YYYY', '03/04/2024', '2024-03-04'],
    ['YYYYMMDD', '20240229', '2024-02-29'],
    ['YYYY/MM/DD', '2024/2/29', '2024-02-29'],
    ['YYYY-MM-DD', '2024-02-29T23:59:59.999+02:00', '2024-02-29'],
    ['MM/DD/YYYY', '2/29/2024 11:59 PM', '2024-02-29'],
  ] as const)('as %s is %s', async (date_format, date, value) => {
    expect(await demand({ date }, { date_format })).toMatchObject({ date: value })
  })

  it.each([
    ['YYYY-MM-DD', '2025-02-30'],
    ['YYYY-MM-DD', '2025-02-29'],
    ['YYYY-MM-DD', '1900-02-29'],
    ['YYYY-MM-DD', '2025-13-01'],
    ['YYYY-MM-DD', '2025-00-01'],
    ['YYYY-MM-DD', '2025-01-00'],
    ['YYYY-MM-DD', '2025-1-1'],
    ['YYYY-MM-DD', '01.02.2025'],
    ['YYYY-MM-DD', '0025-01-01'],
    ['YYYY-MM-DD', '9999-12-31'],
    ['DD/MM/YYYY', '01/13/2025'],
    ['MM/DD/YYYY', '13/01/2025'],
    ['DD.MM.YYYY', '01.02.25'],
    ['YYYYMMDD', '2025-01-01'],
  ] as const)('as %s is not %s', async (date_format, date) => {
    expect(await demand({ date }, { date_format })).toBe('invalid_value date')
  })

  it('of an open order that cannot be read leaves the order without one, and is told', async () => {
    const file = `order,line,sku,location,quantity,due\n${Array.from({ length: 30 }, (_, at) => `${at},1,A,L1,5,${at ? '' : 'asap'}\n`).join('')}`
    const account = put({ 'open_orders.csv': file })
    const [page] = await pages('openOrders', account)
    expect(page!.records).toHaveLength(30)
    expect(page!.records[0]).toMatchObject({ quantity: 5, due: null })
    expect(page!.quarantined).toEqual([])
    expect(page!.notes).toEqual([expect.stringMatching(/^open_orders.csv, line 2: due "asap" /)])
  })

  it('that is a bad price costs no demand, and is told', async () => {
    const price = (at: number) => (at % 12 ? '1.5' : 'n/a')
    const rows = Array.from({ length: 24 }, (_, at) => `A,L1,2025-01-${at + 1},1,${price(at)}`)
    const file = ['sku,location,date,quantity,price', ...rows]
      .join('\n')
      .replace(/-(\d),/g, '-0$1,')
    const [page] = await pages('demand', put({ 'demand.csv': file }))
    expect(page!.quarantined).toEqual([])
    expect(page!.records).toHaveLength(24)
    expect(page!.records[12]).toMatchObject({ quantity: 1, price: null })
    expect(page!.notes).toEqual(
      [2, 14].map((line) =>
        expect.stringMatching(
          `^demand.csv, line ${line}: price "n/a" .* The row counts without it\\.$`,
        ),
      ),
    )
    const plan = 'from,kind,factor,price\n2026-12-01,event,2,free\n'
    const { records } = await read('plannedEvents', { 'plan.csv': plan })
    expect(records).toMatchObject([{ factor: 2, price: null }])
  })

  it.each([1, 2])('column with %i bad cells alone costs their rows', async (count) => {
    const rows = Array.from({ length: 40 }, (_, at) => `S${at},L1,7,${at < count ? '1 ctn' : ''}\n`)
    const file = `sku,location,lead_time_days,moq\n${rows.join('')}`
    const { records, quarantined } = await read('planning', { 'planning.csv': file })
    expect([records.length, quarantined.length]).toEqual([40 - count, count])
  })

  it.each([
    ...['00.00.0000', '00000000', '0000-00-00', '0000-00-00 00:00:00', '00/00/0000', '0'],
    ...['00.01.1900', '1900-01-00', '30.12.1899', '0001-01-01', '01.01.0001 00:00'],
  ])('that is %s is none', async (due) => {
    const rows = [due, due, '2026-12-03', ''].map((day, at) => `${at},1,A,L1,5,${day}`)
    const file = ['order,line,sku,location,quantity,due', ...rows].join('\n')
    const { records, quarantined } = await read('openOrders', { 'open_orders.csv': file })
    expect(quarantined).toEqual([])
    expect(records.map((each) => each.due)).toEqual([null, null, '2026-12-03', null])
    expect(await demand({ date: due })).toBe('missing_value date')
    const plan = `from,kind,to\n2026-12-01,event,${due}\n`
    const planned = await read('plannedEvents', { 'plan.csv': plan })
    expect(planned.records).toMatchObject([{ firstDay: '2026-12-01', lastDay: '2026-12-01' }])
  })

  it('may lie far ahead for what is due, which ERPs use for "never"', async () => {
    const content = 'order,line,sku,location,quantity,due\n1,1,A,L1,1,9999-12-31\n1,2,A,L1,1,\n'
    const { records } = await read('openOrders', { 'open_orders.csv': content })
    expect(records.map(({ due }) => due)).toEqual(['9999-12-31', null])
  })

  it('of an order names what it was made from, where the file says so', async () => {
    const content =
      'order,line,sku,location,quantity,due,reference\n1,1,A,L1,1,,prop_7\n1,2,A,L1,1,,\n'
    const { records } = await read('openOrders', { 'open_orders.csv': content })
    expect(records.map(({ reference }) => reference)).toEqual(['prop_7', null])
  })

  it('of a customer order are those of the file, its day included', async () => {
    const content =
      'order,line,sku,location,quantity,due\nSO-1,1,A,L1,2.5,2025-02-03\nSO-1,2,A,L1,1,\n'
    const { records } = await read('customerOrders', { 'customer_orders.csv': content })
    const [first, second] = ['1', '2'].map((line) => ({
      ...{ document: 'SO-1', line, sku: 'A', location: 'L1' },
    }))
    expect(records).toEqual([
      { ...first, quantity: 2.5, due: '2025-02-03' },
      { ...second, quantity: 1, due: null },
    ])
  })

  it('of stock in inspection are read where the file has the column', async () => {
    const content = 'sku,location,on_hand,in_inspection\nA,L1,5,20\nB,L1,5,\n'
    const { records } = await read('stock', { 'stock.csv': content })
    expect(records).toEqual([
      { sku: 'A', location: 'L1', onHand: 5, inInspection: 20 },
      { sku: 'B', location: 'L1', onHand: 5 },
    ])
  })

  it('knows no other formats', () => {
    expect(csvOptions.safeParse({ date_format: 'MM-DD-YY' }).success).toBe(false)
    expect(csvOptions.safeParse({ decimal: ';' }).success).toBe(false)
    expect(csvOptions.parse({})).toEqual({})
  })
})

describe('other cells in a csv file', () => {
  it.each([
    ['0', false],
    ['1', true],
    ['false', false],
    ['TRUE', true],
    ['', null],
  ])('read the promo flag %j', async (promo, value) => {
    expect(await demand({ promo })).toMatchObject({ promo: value })
  })

  it('refuse other flags, empty keys, long codes and empty quantities', async () => {
    expect(await demand({ promo: 'perhaps' })).toBe('invalid_value promo')
    expect(await demand({ sku: ' ' })).toBe('missing_value sku')
    expect(await demand({ quantity: '' })).toBe('missing_value quantity')
    expect(await demand({ date: '' })).toBe('missing_value date')
    expect(await demand({ sku: 'x'.repeat(100) })).toMatchObject({ sku: 'x'.repeat(100) })
    expect(await demand({ sku: 'x'.repeat(101) })).toBe('invalid_value sku')
  })

  it('read costs as decimal strings, rounded to four places', async () => {
    const costs = ['4.20', '0007', '.5', '1.23456', '.00003', '1e3', '-1', '12345678901234567']
    const content = ['sku,unit_cost', ...costs.map((cost, i) => `s${i},${cost}`)].join('\n')
    const { records, quarantined } = await read('skus', { 'items.csv': content })
    expect(records.map(({ unitCost }) => unitCost)).toEqual([
      '4.20',
      '0007',
      '0.5',
      '1.2346',
      '0.0001',
    ])
    expect(quarantined.map(({ target }) => target)).toEqual(['unit_cost', 'unit_cost', 'unit_cost'])
  })

  it('read planning data, nothing standing for nothing', async () => {
    const content = [
      'sku,location,lead_time_days,review_period_days,moq,lot_size,currency',
      'A,L1,14,7,10,2.5,eur',
      'B,L1,,,,,',
      'C,L1,14.0,,0,0,',
      'D,L1,1.5,,,,',
      'E,L1,,0,,,',
      'F,L1,4000,,,,',
      'G,L1,,,,,Euro',
    ].join('\n')
    const { records, quarantined } = await read('planning', { 'planning.csv': content })
    expect(records).toEqual([
      expect.objectContaining({ leadTimeDays: 14, moq: 10, lotSize: 2.5, currency: 'EUR' }),
      expect.objectContaining({ leadTimeDays: null, moq: null, lotSize: null, supplier: null }),
      expect.objectContaining({ leadTimeDays: 14, moq: 0, lotSize: null }),
    ])
    expect(quarantined.map(({ target }) => target)).toEqual([
      'lead_time_days',
      'review_period_days',
      'lead_time_days',
      'currency',
    ])
  })

  it('have the unit cost that the price of an order unit makes, where they name none', async () => {
    const content = [
      'sku,location,lead_time_days,unit_cost,order_unit,units_per_order_unit,order_price',
      ...['A,L1,7,2.5,CT,12,24', 'B,L1,7,,CT,12,24', 'C,L1,7,,CT,7,10', 'D,L1,7,,,,1.25'],
      ...['E,L1,7,,CT,,24', 'F,L1,7,,CT,12,', 'G,L1,7,0,CT,12,24'],
    ].join('\n')
    const { records, quarantined } = await read('planning', { 'planning.csv': content })
    expect(quarantined).toEqual([])
    expect(records.map(({ unitCost }) => unitCost)).toEqual([
      ...['2.5', '2.0000', '1.4286', '1.2500', null, null, '0'],
    ])
  })

  it('of batches without a last day say nothing, for these do not expire', async () => {
    const days = ['2026-12-03', '', '00.00.0000', 'soon']
    const rows = days.map((day, at) => `A,L1,${at},${day},5`)
    const { records, quarantined } = await read('batches', {
      'batches.csv': ['sku,location,batch,expires_on,quantity', ...rows].join('\n'),
    })
    expect(records.map(({ batch }) => batch)).toEqual(['0'])
    expect(quarantined.map(({ target }) => target)).toEqual(['expires_on'])
  })

  it('read prices by quantity and terms of suppliers, and name what they are not', async () => {
    const prices = await read('priceBreaks', {
      'price_breaks.csv':
        'sku,from_quantity,unit_cost,location\nA,200,1.95,\nA,0,2,\nA,600,,L1\nA,many,1,\n',
    })
    expect(prices.records).toEqual([
      { sku: 'A', location: '', supplier: '', fromQuantity: 200, unitCost: '1.95' },
    ])
    expect(prices.quarantined.map(({ code, target }) => `${code} ${target}`)).toEqual([
      ...['invalid_value from_quantity', 'missing_value unit_cost', 'invalid_value from_quantity'],
    ])
    expect(prices.quarantined[0]!.message).toContain('from_quantity must be above 0')
    const terms = await read('supplierTerms', {
      'supplier_terms.csv':
        'supplier,minimum_order_value,free_freight_from,freight_cost,order_cost,orders_by_location\n' +
        'S,500,1000,50,12.5,true\nT,,1000,,,\nU,,,50,,\nV,,,,,maybe\nW,,,,free,\n',
    })
    expect(terms.records).toEqual([
      {
        ...{ supplier: 'S', location: '', minimumOrderValue: '500', minimumOrderQuantity: null },
        ...{ freeFreightFrom: '1000', freightCost: '50', orderCost: '12.5' },
        ordersByLocation: true,
      },
    ])
    expect(terms.quarantined.map(({ target }) => target)).toEqual([
      ...['freight_cost', 'free_freight_from', 'orders_by_location', 'order_cost'],
    ])
  })

  it('cut a name that is too long, and no emoji in half', async () => {
    const content = `location,name\nL1,${'x'.repeat(199)}🥐\n`
    const { records } = await read('locations', { 'locations.csv': content })
    expect(records[0]!.name).toBe('x'.repeat(199))
  })

  it('have a time zone where the file names one that there is', async () => {
    const zones = ['America/Los_Angeles', '', '+02:00', 'Berlin']
    const content = `location,time_zone\n${zones.map((zone, at) => `L${at},${zone}\n`).join('')}`
    const { records, quarantined } = await read('locations', { 'locations.csv': content })
    expect(records).toMatchObject([
      { location: 'L0', timeZone: 'America/Los_Angeles' },
      { location: 'L1', timeZone: null },
    ])
    expect(quarantined).toMatchObject(
      [2, 3].map((at) => ({
        ...{ place: `locations.csv:${at + 2}`, target: 'time_zone' },
        message: expect.stringContaining('must be a time zone of the IANA database'),
      })),
    )
  })

  it('negative stock is quarantined and reported', async () => {
    const content = 'sku,location,on_hand\nA,L1,-3\nB,L1,4\n'
    const { records, quarantined } = await read('stock', { 'stock.csv': content })
    expect(records).toEqual([{ sku: 'B', location: 'L1', onHand: 4 }])
    expect(quarantined).toEqual([
      {
        code: 'invalid_value',
        place: 'stock.csv:2',
        target: 'on_hand',
        message: expect.stringContaining('not be negative'),
        excerpt: 'A,L1,-3',
        ...{ sku: 'A', location: 'L1' },
      },
    ])
  })
})

describe('bins of a stock', () => {
  const stockOf = async (...rows: string[]) => {
    const content = `sku,location,bin,on_hand\n${rows.join('\n')}\nZ,L1,1,4\n`
    const { records, quarantined } = await read('stock', { 'stock.csv': content })
    return {
      onHand: records.filter(({ sku }) => sku === 'A').map(({ onHand }) => onHand),
      told: quarantined.map(({ place, message, sku }) => [place, message, sku]),
    }
  }

  it('may be below zero where all of them are not', async () => {
    expect(await stockOf('A,L1,1,-30', 'A,L1,2,50')).toEqual({ onHand: [20], told: [] })
    expect(await stockOf('A,L1,1,50', 'A,L1,2,-50')).toEqual({ onHand: [0], told: [] })
    const message = 'on_hand of all rows of the pair is -20: must not be negative.'
    expect(await stockOf('A,L1,1,30', 'A,L1,2,-50')).toEqual({
      ...{ onHand: [], told: [['stock.csv:3', message, 'A']] },
    })
  })

  it('are not known where one of them cannot be read', async () => {
    for (const rows of [
      ['A,L1,1,50', 'A,L1,2,many'],
      ['A,L1,1,many', 'A,L1,2,50'],
    ]) {
      const { onHand, told } = await stockOf(...rows)
      expect(onHand).toEqual([])
      expect(told).toEqual([[expect.any(String), expect.stringContaining('"many"'), 'A']])
    }
  })
})

describe('the mappers', () => {
  const nasty = fc.constantFrom(
    ...['', ' ', '0', '-0', '-1', '1.5', '1,5', '.5', '5.', '1e3', '1e999', '1e12', '1e-7', '1E5'],
    ...['99999999999999999999', '1.23456789', 'NaN', '2025-01-31', '2025-02-30', '0000-01-01'],
    ...['1899-12-31', '1969-12-31', '9999-12-31', '31.01.2025', '20250131', 'EUR', 'eur', 'ÄÖÜ'],
    ...['true', 'x'.repeat(100), 'x'.repeat(101), 'x'.repeat(201), '🥐'.repeat(60), 'a\nb', '3650'],
    ...['3651', '14', '0.0', '"', '\u2028', '__proto__'],
  )
  const GOOD: Record<string, string[]> = {
    time_zone: ['Asia/Tokyo', 'Europe/Berlin', 'UTC'],
    date: ['2025-01-31', '31.01.2025', '01/31/2025', '31/01/2025', '20250131'],
    due: ['2025-01-31', ''],
    phase_out_on: ['2025-01-31', ''],
    expires_on: ['2025-01-31', '31.01.2025', '01/31/2025', '31/01/2025', '20250131'],
    ordered_on: ['2025-01-31', ''],
    received_on: ['2025-01-31', '31.01.2025', '01/31/2025', '31/01/2025', '20250131'],
    currency: ['EUR', ''],
    from: ['EUR', 'USD'],
    to: ['EUR', 'USD'],
    month: ['2025-01', '202501', '01/2025', '1.2025', '2025-01-31'],
    kind: ['promotion', 'Price', 'closure', ''],
    valid_from: ['2025-01-31', '31.01.2025', '01/31/2025', '31/01/2025', '20250131'],
    promo: ['0', 'TRUE', ''],
    orders_by_location: ['0', 'TRUE', ''],
  }
  const DAYS_OF_PLAN: Record<string, string[]> = { from: GOOD.date!, to: ['', ...GOOD.date!] }
  const OF_FILE: Record<string, Record<string, string[]>> = {
    plan: DAYS_OF_PLAN,
    closures: {
      ...{ from: ['', '', '2025-01-31'], to: ['', '', '2025-02-05'] },
      ...{ supplier: ['S', ''], location: ['L', ''], working_days: ['1-5', '1,2,4', '', '1-7'] },
      ...{ country: ['DE', 'it', ''], region: ['BY', ''] },
    },
    drafts: {
      ...{ kind: ['requisition', 'RFQ', 'contract'], created_on: ['2025-01-31', ''] },
      ...{ agreed_value: ['', '', '', '', '5000'], ordered_value: ['', '12.5'] },
    },
  }
  const cellOf = (column: string, stem: string) => {
    const good = OF_FILE[stem]?.[column] ?? GOOD[column] ?? ['7', '14']
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...good) },
      { weight: 2, arbitrary: nasty },
      fc.string({ unit: 'grapheme' }),
      fc.double().map(String),
    )
  }
  const format = fc.record({
    decimal: fc.constantFrom('.' as const, ',' as const),
    date_format: fc.constantFrom(...DATE_FORMATS),
  })

  /** Null for a row with a bad value. */
  function recordOf<T>(map: () => T): T | null {
    try {
      return map()
    } catch (error) {
      problemOf(error)
      return null
    }
  }

  it.each(TABLES.map((table) => [table.stem, table] as const))(
    'let through of %s only what its schema accepts',
    (stem, table) => {
      const names = [...table.requiredColumns, ...table.optionalColumns]
      const columns = new Map(names.map((name, index) => [name, index]))
      const cells = fc.tuple(...names.map((name) => cellOf(name, stem)))
      let accepted = 0
      const property = fc.property(cells, format, (values, declared) => {
        const row = new Row(columns, new Formats(declared))
        row.moveTo(values)
        const record = recordOf(() => {
          const mapped = table.mapper()(row)
          if (mapped) (table as Table).assert?.(mapped, row, false)
          return mapped
        })
        if (!record) return
        accepted++
        expect(RECORDS[table.record].schema.parse(record)).toEqual(record)
      })
      fc.assert(property, { numRuns: 10_000 })
      expect(accepted).toBeGreaterThan(50)
    },
  )

  it('need no optional column', async () => {
    const { records } = await read('demand', { 'demand.csv': demandFile('A,L1,2025-01-01,1') })
    expect(records[0]).toMatchObject({ price: null, promo: null })
  })
})
