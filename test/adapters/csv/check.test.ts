import { workbook } from '../../tables/workbook.ts'
import { demandFile, temporaryRoot } from './files.ts'

const { adapter, connect, put } = temporaryRoot()

async function check(files: Record<string, string | Buffer>, options = {}) {
  const checks = await adapter.check(connect(put(files), options), new AbortController().signal)
  return Object.fromEntries(checks.map(({ record, ...rest }) => [record, rest]))
}

describe('what connect tells of a folder', () => {
  it('is five rows of each file as they are understood', async () => {
    const rows = ['03', '04', '05', '06', '07', '08'].map((day) => `A-1,L1,2026-11-${day},12`)
    const { demand, stock, planning } = await check({
      'demand.csv': demandFile(...rows),
      'stock.csv': 'sku,location,on_hand\nA-1,L1,7\n',
      'planning.csv': 'sku,location,lead_time_days,moq\nA-1,L1,14,40\n',
    })
    expect(demand!.preview).toHaveLength(5)
    expect(demand!.preview![0]).toBe('A-1 at L1, 2026-11-03, 12 units')
    expect(stock!.preview).toEqual(['A-1 at L1, 7 on hand'])
    expect(planning!.preview).toEqual(['A-1 at L1, lead time 14 days, moq 40'])
    expect([demand, stock, planning].flatMap((each) => each!.notes ?? [])).toEqual([])
  })

  it('is what a folder lacks to propose by', async () => {
    const { stock, planning, openOrders, receipts } = await check({ 'demand.csv': demandFile() })
    expect(stock!.notes).toEqual([
      expect.stringMatching(/^There is no stock.csv: forecasts are made, but every proposal is/),
    ])
    expect(planning!.notes).toEqual([expect.stringMatching(/^There is no planning.csv: .*lead/)])
    expect(openOrders!.notes).toEqual([expect.stringMatching(/^There is no open_orders.csv: /)])
    expect(receipts!.notes).toBeUndefined()
  })

  it('is how a file was understood, and the columns that nobody reads', async () => {
    const content = 'Artikel;Lager;Datum;Menge;Kunde\nA;L1;03.11.2026;1,5;K1\n'
    const { demand } = await check({ 'demand.csv': content })
    expect(demand!.notes).toEqual([
      expect.stringContaining('date as DD.MM.YYYY'),
      'demand.csv has columns that nobody reads: Kunde.',
    ])
    const items = await check({
      'demand.csv': demandFile(),
      'items.csv': 'sku,Bezeichnung\nA,Apple\n',
    })
    expect(items.skus!.notes).toEqual([
      'items.csv has columns that nobody reads: Bezeichnung (rename it to name to have it read).',
    ])
  })

  it('is files with a name that nobody reads', async () => {
    const checks = await check({
      'demand.csv': demandFile(),
      'stocks.csv': '',
      'Lagerbestand.xlsx': '',
      'Planning.csv': '',
      'summer.csv': '',
      'readme.md': '',
    })
    expect(checks.stock!.notes).toEqual([
      'Lagerbestand.xlsx is not read: give it the name stock.xlsx if it is that.',
      'stocks.csv is not read: give it the name stock.csv if it is that.',
    ])
    expect(checks.planning!.notes).toEqual([
      'Planning.csv is not read: give it the name planning.csv if it is that.',
    ])
    expect(checks.demand!.notes).toEqual(['summer.csv is not read: no file of this name is known.'])
  })

  it('is stock of SKUs that have no demand', async () => {
    const { stock } = await check({
      'demand.xlsx': workbook([
        ['sku', 'location', 'date', 'quantity'],
        ['A', 'L1', new Date('2026-11-03'), 1],
      ]),
      'stock.csv': 'sku,location,on_hand\nA,L1,1\n0B,L1,1\n0C,L1,1\n',
    })
    expect(stock!.notes).toEqual(['2 of 3 SKUs with stock have no demand, for example 0B, 0C.'])
  })

  it('is a location that is spelled otherwise than in demand.csv', async () => {
    const { stock, planning, openOrders } = await check({
      'demand.csv': demandFile('A,MAIN,2026-11-03,1', 'A,01,2026-11-03,1'),
      'stock.csv': 'sku,location,on_hand\nA,Main,1\nA,MAIN ,1\nA,DC,1\nA,1,1\n',
      'planning.csv': 'sku,location,lead_time_days\nA,Main,7\nA,DC,7\n',
      'open_orders.csv': 'order,line,sku,location,quantity\n1,1,A,MAIN,7\n1,2,A,DC,7\n',
    })
    expect(stock!.notes).toEqual([
      '3 of 4 locations with stock have no demand, for example Main (MAIN in demand.csv), DC, 1 (01 in demand.csv).',
    ])
    expect(planning!.notes).toEqual([
      'planning.csv spells locations otherwise than demand.csv, for example Main (MAIN in demand.csv): they are not joined.',
    ])
    expect(openOrders!.notes).toBeUndefined()
  })

  it('is why a file is refused', async () => {
    const files = { 'demand.csv': demandFile('A,L1,3/4/2026,1') }
    const { demand } = await check(files)
    expect(demand).toEqual({
      status: 'failed',
      message:
        'demand.csv, line 2: date "3/4/2026" can be 2026-04-03 or 2026-03-04; ' +
        'set the option date_format to "DD/MM/YYYY" or "MM/DD/YYYY".',
    })
    const said = await check(files, { date_format: 'MM/DD/YYYY' })
    expect(said.demand!.preview).toEqual(['A at L1, 2026-03-04, 1 units'])
  })
})
