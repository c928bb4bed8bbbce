import { demandFile, temporaryRoot } from './files.ts'

const { pages, put, read } = temporaryRoot()
const HEADER = 'sku,location,date,quantity\n'
const MEGABYTES_10 = 'x'.repeat(10 * 1024 * 1024)

const demand = (content: string | Buffer, options = {}) =>
  read('demand', { 'demand.csv': content }, options)

const skusOf = async (content: string | Buffer) =>
  (await demand(content)).records.map(({ sku }) => sku)

describe('the header of a csv file', () => {
  it.each([',', ';', '\t', '|'])('detects the separator %j', async (separator) => {
    const rows = ['sku,location,date,quantity', 'A,L1,2025-01-01,2']
    const { records } = await demand(rows.join('\n').replaceAll(',', separator))
    expect(records).toEqual([
      { sku: 'A', location: 'L1', date: '2025-01-01', quantity: 2, price: null, promo: null },
    ])
  })

  it('is not misled by other separators inside its names', async () => {
    const content = 'sku;location;date;quantity;"a,b,c,d,e,f"\nA;L1;2025-01-01;2;x\n'
    expect(await skusOf(content)).toEqual(['A'])
  })

  it('may have any case, order, blanks, quotes, further columns and a byte order mark', async () => {
    const content = '\ufeff"Date", QUANTITY ,note,Sku,Location\r\n2025-01-01,2,x,A,L1\r\n'
    const { records } = await demand(content)
    expect(records).toEqual([expect.objectContaining({ sku: 'A', quantity: 2 })])
  })

  it('may follow blank lines, which count as lines', async () => {
    const { records, quarantined } = await demand(
      `\n\r\n${HEADER}\nA,L1,2025-01-01,1\n\nB,L1,x,1\n`,
    )
    expect(records).toHaveLength(1)
    expect(quarantined).toEqual([expect.objectContaining({ place: 'demand.csv:7' })])
  })

  it('may stand alone', async () => {
    expect(await demand(HEADER.trimEnd())).toEqual({ records: [], quarantined: [] })
  })

  it.each([
    ['nothing', '', 'empty_file'],
    ['a byte order mark alone', '\ufeff', 'empty_file'],
    ['blank lines alone', '\n \r\n', 'empty_file'],
    ['too few columns', 'sku,location,menge\nA,L1,1\n', 'missing_column'],
    [
      'two columns that can be the SKU',
      'artikel,ean,ort,location,date,quantity\n',
      'ambiguous_column',
    ],
    ['rows without a header', 'A,L1,2025-01-01,1\n', 'missing_column'],
    ['a column twice', 'sku,sku,location,date,quantity\n', 'duplicate_column'],
    ['a stray quote', 'sku,location,date,"quantity\n', 'invalid_header'],
    ['line ends of CR alone', 'sku,location,date,quantity\rA,L1,2025-01-01,1\r', 'invalid_header'],
    ['a header without end', MEGABYTES_10, 'invalid_header'],
    ['a NUL', 'sku,location,date,quantity\0\n', 'invalid_encoding'],
  ])('ends the stream when the file has %s', async (_, content, code) => {
    await expect(demand(content)).rejects.toMatchObject({
      name: 'Fatal',
      code,
      target: 'demand.csv',
      message: expect.stringContaining('demand.csv'),
    })
  })

  it('names the columns that are missing and those that were found', async () => {
    await expect(demand('SKU,Datum,quantity\n')).rejects.toThrow(
      'demand.csv, line 1: there is no column location; this line names SKU, Datum, quantity.',
    )
  })
})

describe('codes', () => {
  it('stay text as it stands, but for blanks around them', async () => {
    const codes = ['007', '1E5', '"""; DROP"', '../../x', '🥐', '=1+1', '-1', 'TRUE', 'null']
    const rows = [...codes, ' padded ', "Robert'); --"].map((sku) => `${sku},L1,2025-01-01,1`)
    expect(await skusOf(demandFile(...rows))).toEqual([
      ...['007', '1E5', '"; DROP', '../../x', '🥐', '=1+1', '-1', 'TRUE', 'null'],
      ...['padded', "Robert'); --"],
    ])
  })

  it('may hold separators and quotes where they are quoted', async () => {
    expect(await skusOf(demandFile('"a,b",L1,2025-01-01,1', '"c""d",L1,2025-01-01,1'))).toEqual([
      'a,b',
      'c"d',
    ])
  })
})

describe('a cell of several lines', () => {
  it('may be a name or stand in a column that is not read', async () => {
    const content = 'note,sku,name\n"1\n2",A,"one\r\ntwo"\n,B,"""3\n4"""\n,"",x\n'
    const { records, quarantined } = await read('skus', { 'items.csv': content })
    expect(records.map(({ sku, name }) => [sku, name])).toEqual([
      ['A', 'one\r\ntwo'],
      ['B', '"3\n4"'],
    ])
    expect(quarantined).toEqual([expect.objectContaining({ place: 'items.csv:7' })])
  })

  it('is no code: its first line is quarantined and the others are read', async () => {
    const rows = ['A', '"B', 'C', 'D"', 'E'].map((sku) => `${sku},L1,2025-01-01,1`)
    const { records, quarantined } = await demand(demandFile(...rows))
    expect(records.map(({ sku }) => sku)).toEqual(['A', 'C', 'E'])
    expect(quarantined.map(({ code, place }) => [code, place])).toEqual([
      ['unclosed_quote', 'demand.csv:3'],
      ['misplaced_quote', 'demand.csv:5'],
    ])
  })
})

describe('a row that is none', () => {
  it.each([
    ['too few columns', 'B,L1,2025-01-01', 'wrong_column_count'],
    ['too many columns', 'B,L1,2025-01-01,1,,x', 'wrong_column_count'],
    ['a quote that is not closed', '"B,L1,2025-01-01,1', 'unclosed_quote'],
    ['a quote that is not closed in its last cell', 'B,L1,2025-01-01,"1', 'unclosed_quote'],
    ['a quote within a cell', 'B 5",L1,2025-01-01,1', 'misplaced_quote'],
    ['something after a closing quote', '"B"x,L1,2025-01-01,1', 'misplaced_quote'],
    ['a NUL', 'B\0,L1,2025-01-01,1', 'invalid_encoding'],
    ['10 MB in one cell', `${MEGABYTES_10},L1,2025-01-01,1`, 'row_too_long'],
    ['10 MB in one quoted cell', `"${MEGABYTES_10}",L1,2025-01-01,1`, 'row_too_long'],
  ])('for %s costs itself alone', async (_, row, code) => {
    const { records, quarantined } = await demand(
      demandFile('A,L1,2025-01-01,1', row, 'C,L1,2025-01-01,1', 'D,L1,2025-01-01,1'),
    )
    expect(records.map(({ sku }) => sku)).toEqual(['A', 'C', 'D'])
    expect(quarantined).toEqual([expect.objectContaining({ code, place: 'demand.csv:3' })])
    const { excerpt } = quarantined[0]!
    expect(excerpt.slice(0, 3)).toBe(row.slice(0, 3).replace('\0', '\ufffd'))
    expect(excerpt.length).toBe(Math.min(row.length, 500))
  })

  it('is recognised at the end of the file too', async () => {
    const { records, quarantined } = await demand(`${HEADER}A,L1,2025-01-01,1\n"B,L1,2025-01-01,1`)
    expect(records).toHaveLength(1)
    expect(quarantined).toEqual([
      expect.objectContaining({ code: 'unclosed_quote', place: 'demand.csv:3' }),
    ])
  })

  it('is quarantined for invalid UTF-8 among rows of UTF-8, not mended', async () => {
    const latin1 = Buffer.from('M\xfcsli,L1,2025-01-01,1\n', 'latin1')
    const content = Buffer.concat([Buffer.from(`${HEADER}Ä,L1,2025-01-01,1\n`), latin1])
    const { records, quarantined } = await demand(content)
    expect(records).toHaveLength(1)
    expect(quarantined).toEqual([
      expect.objectContaining({ code: 'invalid_encoding', place: 'demand.csv:3' }),
    ])
  })

  it('costs itself alone among many rows, far from the next quote', async () => {
    const many = (letter: string) =>
      Array.from({ length: 60_000 }, (_, i) => `${letter}${i},L1,2025-01-01,1`)
    const { records, quarantined } = await demand(
      demandFile(...many('a'), '"stray,L1,2025-01-01,1', ...many('b'), '"q",L1,2025-01-01,1'),
    )
    expect(records).toHaveLength(120_001)
    expect(new Set(records.map(({ sku }) => sku)).size).toBe(120_001)
    expect(quarantined).toEqual([
      expect.objectContaining({ code: 'unclosed_quote', place: 'demand.csv:60002' }),
    ])
  })

  it('gives its line in the file whatever stands before it', async () => {
    const good = Array.from({ length: 9_000 }, (_, i) => `a${i},L1,2025-01-01,1`)
    const others = good.map((row) => row.replace('a', 'b'))
    const { quarantined } = await demand(demandFile(...good, '', 'x', ...others, 'y'))
    expect(quarantined.map(({ place, excerpt }) => [place, excerpt])).toEqual([
      ['demand.csv:9003', 'x'],
      ['demand.csv:18004', 'y'],
    ])
  })
})

describe('pages of a csv file', () => {
  it('hold 5,000 rows, quarantined ones included', async () => {
    const rows = Array.from({ length: 12_000 }, (_, i) => `s${i},L1,2025-01-01,${i % 3 ? 1 : -1}`)
    const all = await pages('demand', put({ 'demand.csv': demandFile(...rows) }))
    expect(all.map(({ records, quarantined }) => records.length + quarantined.length)).toEqual([
      5_000, 5_000, 2_000,
    ])
  })

  it('tell how many bytes of how many were read', async () => {
    const content = demandFile('A,L1,2025-01-01,1')
    const [page] = await pages('demand', put({ 'demand.csv': content }))
    const { length } = content
    expect(page!.progress).toEqual({ done: length, total: length, unit: 'bytes' })
  })
})
