// Each ERP's form against a validator that was made from what its import documents.
import { adapterOf } from '../../adapters/index.ts'
import { LineFault, type OrderForm, type OrderLine, placeLines } from '../../adapters/order-form.ts'
import { fileOf } from '../../srv/domain/proposals/handover/files.ts'
import { inOrderUnits, orderUnitsOf } from '../../srv/domain/proposals/terms/call-offs.ts'
import { column, csvTable, judge, QUANTITY, workbookTables } from './validators.ts'

const ERPS = ['s4hana', 'business_central', 'netsuite', 'odoo', 'business_one', 'tryton']

const formOf = (erp: string): OrderForm => adapterOf(erp)!.orderForm

/** A unit of the supplier, and how many base units it has. */
const PACKS: [unit: string | null, size: number][] = [
  [null, 1],
  ['CAR', 12],
  ['PAL', 480],
  ['BX', 2.5],
  ['DZ', 144],
]

/** 200 lines of ten suppliers at four locations. */
const LINES = Array.from({ length: 200 }, (_, at): OrderLine => {
  const [pack, size] = PACKS[at % PACKS.length]!
  const quantity = size * 2 * (1 + (at % 7))
  const supplier = `S-${at % 10}`
  const units = orderUnitsOf({ supplier, quantity, unitCost: '4.1234' }, 'PC', {
    ...{ supplier, orderUnit: pack, unitsPerOrderUnit: size, orderPrice: null },
    supplierSku: at % 3 ? `V${at}` : null,
  })
  return {
    ...{ reference: `prop_${1_000 + at}`, handOver: 'ho_12', kind: 'purchase' },
    ...{ sku: `A-${at}`, name: `Item "${at}", <large> & round`, supplierSku: units.supplierSku },
    ...{ location: `L${at % 4}`, locationName: `Warehouse ${at % 4}`, fromLocation: null },
    ...{ supplier, supplierName: `Supplier ${at % 10} & Sons`, quantity, unit: 'PC' },
    ...{ orderQuantity: units.orderQuantity, orderUnit: units.orderUnit ?? 'PC' },
    unitsPerOrderUnit: units.unitsPerOrderUnit,
    ...{ price: units.orderPrice, value: '100.00', currency: 'EUR' },
    // Each fifth line calls off from a contract, each tenth for more than that has left.
    contract: at % 5 ? null : { document: '46001', line: '10', over: at % 10 ? 0 : 3 },
    ...{ orderedOn: '2026-11-20', wantedOn: `2026-12-${String(1 + (at % 28)).padStart(2, '0')}` },
  }
})

function usualFile(erp: string, lines = LINES) {
  const form = formOf(erp)
  const placed = placeLines(form, lines)
  const wish = { format: form.formats[0]!, dayFormat: form.dayFormats[0] }
  return { placed, bytes: fileOf(form.tables(placed), form, wish) }
}

describe.each(ERPS)('the form of %s', (erp) => {
  it('has 200 lines of ten suppliers as the import takes them', async () => {
    const { bytes } = usualFile(erp)
    const { faults, lines } = await judge(erp, bytes)
    expect(faults).toEqual([])
    expect(lines.rows).toHaveLength(200)
  })

  it('has quantities that convert back exactly', async () => {
    const { placed, bytes } = usualFile(erp)
    const { lines } = await judge(erp, bytes)
    const given = column(lines, QUANTITY[erp]!)
    placed.forEach(({ quantity, unitsPerOrderUnit }, at) =>
      expect(Number(given[at]) * unitsPerOrderUnit).toBe(quantity),
    )
  })

  it('gives the same bytes again', () => {
    expect(usualFile(erp).bytes.equals(usualFile(erp).bytes)).toBe(true)
  })

  it('refuses a code that the ERP has no room for, and names line and column', () => {
    const long = [{ ...LINES[0]!, sku: 'X'.repeat(400) }]
    expect(() => usualFile(erp, long)).toThrow(LineFault)
    expect(() => usualFile(erp, long)).toThrow(/prop_1000: .+ takes \d+ characters at most/)
  })

  it.each(formOf(erp).formats)('is a file as %s', (format) => {
    const form = formOf(erp)
    const tables = form.tables(placeLines(form, LINES))
    const bytes = fileOf(tables, form, { format, dayFormat: form.dayFormats[0] })
    expect(bytes.length).toBeGreaterThan(500)
  })
})

it('makes one order of what the ERP keeps on its header', () => {
  const orders = (erp: string) => new Set(placeLines(formOf(erp), LINES).map(({ order }) => order))
  expect(orders('business_one').size).toBe(10)
  // Ten suppliers at four locations: each supplier's lines go to two of them.
  expect(orders('odoo').size).toBe(20)
  expect(orders('tryton').size).toBe(20)
})

describe('a cell that a spreadsheet would run', () => {
  const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'].map((sku, at) => ({
    ...LINES[at]!,
    ...{ sku, name: `=HYPERLINK("http://evil")`, supplierSku: '=cmd|1' },
  }))

  it('has an apostrophe in front in a csv file', () => {
    const form = formOf('csv')
    const tables = form.tables(placeLines(form, evil))
    const bytes = fileOf(tables, form, { format: 'csv', dayFormat: 'YYYY-MM-DD' })
    const { rows } = csvTable(bytes)
    for (const row of rows)
      for (const cell of row) expect(String(cell ?? '')).not.toMatch(/^[=+\-@\t\r]/)
  })

  it('is text in a workbook, as it stands', async () => {
    const form = formOf('csv')
    const tables = form.tables(placeLines(form, evil.slice(0, 4)))
    const bytes = fileOf(tables, form, { format: 'xlsx', dayFormat: 'YYYY-MM-DD' })
    expect(bytes.includes('<f>')).toBe(false)
    const [sheet] = await workbookTables(bytes)
    expect(column(sheet!, 'sku')).toEqual(['=1+1', '+1', '-1', '@SUM(A1)'])
    expect(column(sheet!, 'due')[0]).toEqual(new Date('2026-12-01T00:00:00Z'))
  })
})

describe('order units', () => {
  it.each([
    [24, 12, '2'],
    [30, 12, '2.5'],
    [7, 12, null],
    [5, 2.5, '2'],
    [1, 1 / 3, '3'],
    [100, 0.001, '100000'],
    [1_000_000_000, 1_000, '1000000'],
    [1, 10_000, null],
  ])('say of %d base units in packs of %d: %s', (quantity, size, expected) => {
    expect(inOrderUnits(quantity, size)).toBe(expected)
  })

  it('are left where the quantity is no decimal of them: then all is in base units', () => {
    const terms = { supplier: 'S', orderUnit: 'CAR', unitsPerOrderUnit: 12, orderPrice: '10.00' }
    const of = (quantity: number, supplier = 'S') =>
      orderUnitsOf({ supplier, quantity, unitCost: '0.8333' }, 'PC', { ...terms, supplierSku: 'V' })
    // The ERP's own price, not twelve times the rounded cost of a unit.
    expect(of(24)).toMatchObject({ orderUnit: 'CAR', orderQuantity: '2', orderPrice: '10' })
    expect(of(25)).toMatchObject({ orderUnit: null, orderQuantity: '25', orderPrice: '0.8333' })
    expect(of(24, 'other')).toMatchObject({ orderUnit: null, supplierSku: null })
  })

  it('cost what as many base units cost, where a price break gives another unit cost', () => {
    const terms = { supplier: 'S', orderUnit: 'CAR', unitsPerOrderUnit: 12, orderPrice: '10.00' }
    const found = orderUnitsOf({ supplier: 'S', quantity: 24, unitCost: '0.75' }, 'PC', {
      ...terms,
      supplierSku: null,
    })
    expect(found.orderPrice).toBe('9')
  })
})
