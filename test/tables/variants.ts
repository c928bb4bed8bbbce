// One table of demand as people have it: each variant is read right, or refused with the sentence that mends it.
import { gzipSync } from 'node:zlib'
import type { DeclaredFormats } from '../../tables/formats.ts'
import { workbook, workbook1904 } from './workbook.ts'

export interface Variant {
  content: string | Buffer
  /** The file's ending, `.csv` unless given. */
  ending?: string
  formats?: DeclaredFormats
  /** The codes where they are not those of the table. */
  skus?: [string, string, string]
  /** Rows after those of the table. */
  more?: typeof ROWS
  /** What the sentence of the refusal says; absent where the table is read right. */
  refused?: RegExp
}

/** The table: three rows of two pairs. */
export const ROWS = [
  { sku: 'A-1', location: 'L1', date: '2026-11-03', quantity: 12 },
  { sku: 'A-1', location: 'L1', date: '2026-11-14', quantity: 7.5 },
  { sku: '007', location: 'L2', date: '2026-11-20', quantity: 1250 },
]

const HEADER = ['sku', 'location', 'date', 'quantity']

interface Writing {
  header?: string[]
  separator?: string
  date?: (iso: string) => string
  number?: (value: number) => string
  end?: string
  skus?: string[]
}

const iso = (date: string) => date
const comma = (value: number) => String(value).replace('.', ',')
const parts = (date: string) => date.split('-') as [string, string, string]
const german = (date: string) => parts(date).reverse().join('.')
const american = (date: string) => {
  const [y, m, d] = parts(date)
  return `${Number(m)}/${Number(d)}/${y}`
}
const british = (date: string) => parts(date).reverse().join('/')

/** The table as text. */
function table({
  header = HEADER,
  separator = ',',
  date = iso,
  number = String,
  end = '\n',
  skus = ROWS.map(({ sku }) => sku),
}: Writing = {}): string {
  const rows = ROWS.map((row, at) => [
    ...[skus[at], row.location, date(row.date), number(row.quantity)],
  ])
  return [header, ...rows].map((cells) => cells.join(separator) + end).join('')
}

const GERMAN_HEADER = ['Artikel-Nr.', 'Lagerort', 'Datum', 'Menge']
const germanExcel = table({
  ...{ header: GERMAN_HEADER, separator: ';', date: german, number: comma, end: '\r\n' },
})
const englishExcel = table({ date: american, end: '\r\n' })
const withUmlauts = germanExcel.replaceAll('A-1', 'Grüße')
const UMLAUTS: [string, string, string] = ['Grüße', 'Grüße', '007']
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

/** The rows as cells of a workbook: days, unless they are written as text. */
const cells = (date?: (iso: string) => string, number?: (value: number) => string) =>
  ROWS.map((row) => [
    ...[row.sku, row.location],
    date?.(row.date) ?? new Date(row.date),
    number?.(row.quantity) ?? row.quantity,
  ])
const sheet = () => workbook([HEADER, ...cells()])

/** A row of each, with what is to be seen three times. */
const dates = (...values: string[]) =>
  [HEADER.join(), ...values.map((date) => `A,L,"${date}",1`), ''].join('\n')
const quantities = (...values: string[]) =>
  [HEADER.join(';'), ...values.map((value, i) => `A;L;2026-11-0${i + 1};${value}`), ''].join('\n')

export const VARIANTS: Record<string, Variant> = {
  // Separators
  comma: { content: table() },
  semicolon: { content: table({ separator: ';' }) },
  tab: { content: table({ separator: '\t' }) },
  bar: { content: table({ separator: '|' }) },
  'the line sep=; of Excel': { content: `sep=;\r\n${table({ separator: ';', end: '\r\n' })}` },
  'the line sep=, of Excel': { content: `"sep=,"\n${table()}` },
  'the line sep= of Excel with a tab': {
    content: `sep=\t\r\n${table({ separator: '\t', end: '\r\n' })}`,
  },
  'quotes around every cell': { content: table().replaceAll(/[^,\n]+/g, '"$&"') },
  'blanks around cells': { content: table({ separator: ' ; ' }), ending: '.csv' },
  'signs without a width around codes': {
    content: table({ skus: ['A-1\u200b', '\u2060A-1', ' \u200e007 \u200b'] }),
  },
  'codes that Excel was kept from taking for numbers': {
    content: table({ skus: ['"=""A-1"""', '"=""A-1"""', "'007"] }),
  },
  'codes that Excel has shortened': {
    content: table({ separator: ';', skus: ['4,00638E+12', '4,00638E+12', '007'] }),
    refused: /sku .*is a number that Excel shortened: format the column as text and export again/,
  },
  'codes of more digits than Excel keeps': {
    content: workbook([
      HEADER,
      ...cells().map((row) => [1_914_310_000_010_100_000, ...row.slice(1)]),
    ]),
    refused: /sku .*is a number of more than 15 digits/,
  },
  'flags in German': {
    content: [
      'sku;location;date;quantity;Aktion',
      ...ROWS.map((row, i) =>
        [row.sku, row.location, row.date, comma(row.quantity), ['WAHR', 'falsch', '-'][i]].join(
          ';',
        ),
      ),
    ].join('\n'),
  },
  // Lines
  CRLF: { content: table({ end: '\r\n' }) },
  'no line end after the last row': { content: table().trimEnd() },
  'blank lines before, between and after': {
    content: `\n\n${table().replaceAll('\n', '\n\n')}\n\n`,
  },
  'rows of empty cells at the end': { content: `${table()},,,\n,,,\n` },
  'empty columns at the end': { content: table({ end: ',,\n' }) },
  'empty cells after rows alone': {
    content: table({ separator: ';' }).replaceAll('2026-11-14;7.5', '2026-11-14;7.5;;'),
  },
  'decimal commas without quotes before an empty column': {
    content: `${HEADER.join()},note\nA,L,2026-11-03,12,5,\nA,L,2026-11-04,7,5,\n`,
    refused: /line 2: .*1,5 is two cells: quote it or separate by ";"/,
  },
  'a title above the header': {
    content: `Sales of 2026\n\n${table()}`,
    refused:
      /line 1: .*names Sales of 2026; the header seems to be in line 3: delete what stands above/,
  },
  'a title above the header of a workbook': {
    content: workbook([['Sales of 2026'], [], HEADER, ...cells()]),
    ending: '.xlsx',
    refused: /line 1: .*the header seems to be in line 3: delete what stands above/,
  },
  'totals at the end': {
    content: `${table({ separator: ';' })}Gesamt;;;1269,5\nGesamt;;;1269,5\nSumme;;;1\nSumme;;;1\n`,
    refused: /line 5: .*seems to be a total of the others: leave it out/,
  },
  'sums without a word at the end': {
    content: `${table()},,,1269.5\n,,,12\n,,,3\n,,,9\n`,
    refused: /line 5: .*seems to be a total of the others: leave it out/,
  },
  'inch marks in a column that nobody reads': {
    content: table()
      .replace('quantity', 'quantity,text')
      .replaceAll(/(?<=\d)\n/g, ',pipe of 12"\n'),
  },
  'inch marks in names': {
    content: table()
      .replace('quantity', 'quantity,name')
      .replaceAll(/(?<=\d)\n/g, ',pipe of 12"\n'),
  },
  'inch marks beside cells in quotes': {
    content: table()
      .replace('quantity', 'quantity,name,text')
      .replaceAll(/(?<=\d)\n/g, ',"a, b",c\n')
      .replace(',"a, b",c', ',pipe of 12",c'),
  },
  'a quote that closes too early': {
    content: `${HEADER.join()},text\n${'A,L,2026-11-03,1,"5" pipe\n'.repeat(3)}`,
    refused: /line 2: .*write a quote within a cell twice: .*"5" pipe/,
  },
  'a quote that nothing closes': {
    content: `${HEADER.join()}\n${'"A,L,2026-11-03,1\n'.repeat(3)}`,
    refused: /line 2: .*(opened and not closed|enclose a whole cell).*twice: "A,L,2026-11-03,1/,
  },
  'cells of many lines': {
    content: table()
      .replace('quantity', 'quantity,text')
      .replaceAll(/(?<=\d)\n/g, `,"${'a line\n'.repeat(2_000)}"\n`),
  },
  'gzip by its name alone': { content: table(), ending: '.csv.gz' },
  'gzip without its name': { content: gzipSync(table()) },
  'line ends of two kinds': { content: table().replace('\n', '\r\n') },
  'the end of a text of DOS': { content: `${table()}\x1a` },
  'rows separated by another sign than the header': {
    content: table().replaceAll(/(?<=\d.*),/g, ';'),
    refused: /line 2: .*The row has 1 column, the header 4; separate them by "," as there/,
  },
  'a line of text after the rows': {
    content: `${table()}3 rows selected.\n`.replaceAll('A-1,L1,2026-11-03,12\n', ''),
    refused: /The row has 1 column, the header 4; .*or leave the row out/,
  },
  'lines of dashes and bars, as SAP prints lists': {
    content: `${'-'.repeat(30)}\n|Material|Werk|Datum|Menge|\n${'-'.repeat(30)}\n|A|L|03.11.2026|1|\n`,
    refused: /line 1: .*the header seems to be in line 2: delete what stands above/,
  },
  'a remark above the header': {
    content: `# export of 2026-11-23\n${table()}`,
    refused: /line 1: .*the header seems to be in line 2: delete what stands above/,
  },
  // Encodings
  'UTF-8 with a byte order mark': { content: `\ufeff${withUmlauts}`, skus: UMLAUTS },
  'UTF-8': { content: withUmlauts, skus: UMLAUTS },
  'Latin-1': { content: Buffer.from(withUmlauts, 'latin1'), skus: UMLAUTS },
  'Windows-1252 with a euro sign': {
    content: Buffer.concat([
      ...withUmlauts
        .split('Grüße')
        .flatMap((part, i) => [
          ...(i ? [Buffer.from([0x80, 0x31])] : []),
          Buffer.from(part, 'latin1'),
        ]),
    ]),
    skus: ['€1', '€1', '007'],
  },
  'UTF-16 of Excel (Unicode text)': {
    content: Buffer.from(`\ufeff${withUmlauts.replaceAll(';', '\t')}`, 'utf16le'),
    skus: UMLAUTS,
  },
  'UTF-16, big endian': { content: utf16be(withUmlauts), skus: UMLAUTS },
  'two byte order marks': { content: `\ufeff\ufeff${withUmlauts}`, skus: UMLAUTS },
  'a byte order mark before sep=;': {
    content: `\ufeffsep=;\r\n${withUmlauts}`,
    skus: UMLAUTS,
  },
  'UTF-16 with sep=;': {
    content: Buffer.from(`\ufeffsep=;\r\n${withUmlauts}`, 'utf16le'),
    skus: UMLAUTS,
  },
  'UTF-16, packed': {
    content: gzipSync(Buffer.from(`\ufeff${withUmlauts}`, 'utf16le')),
    ending: '.csv.gz',
    skus: UMLAUTS,
  },
  'accents apart from their letters, as macOS writes them': {
    content: withUmlauts.normalize('NFD'),
    skus: UMLAUTS,
  },
  'UTF-16 without a byte order mark': { content: Buffer.from(table(), 'utf16le') },
  'the encoding of DOS': {
    content: Buffer.concat([Buffer.from(`${HEADER.join()}\nGr`), Buffer.from([0x81, 0xe1])]),
    refused: /neither UTF-8 nor Windows-1252: save the file as UTF-8/,
  },
  'a web page named .csv': {
    content: '<html><table><tr><td>sku</td></tr></table></html>',
    refused: /the file is a web page or XML: open it in Excel and save it as \.xlsx/,
  },
  'a workbook of XML': {
    content: '<?xml version="1.0"?>\n<Workbook/>',
    refused: /the file is a web page or XML/,
  },
  JSON: { content: '[{"sku":"A"}]', refused: /the file is JSON: export it as CSV/ },
  Parquet: {
    content: Buffer.from('PAR1\x15\x04'),
    refused: /the file is Parquet: export it as CSV/,
  },
  'a PDF': { content: '%PDF-1.7\n', refused: /the file is a PDF: export it as CSV/ },
  // Packed
  packed: { content: gzipSync(table()), ending: '.csv.gz' },
  // Headers
  'German names': { content: germanExcel },
  'German names in capitals with underscores': {
    content: table({ header: ['ARTIKEL_NR', 'FILIALE', 'BUCHUNGSDATUM', 'ABSATZMENGE'] }),
  },
  'German names with units': {
    content: table({ header: ['Materialnummer', 'Werk', 'Tag', 'Menge (Stück)'] }),
  },
  'English names of a shop': { content: table({ header: ['Item', 'Store', 'Day', 'Units Sold'] }) },
  'English names of an ERP': {
    content: table({ header: ['Item No.', 'Location Code', 'Posting Date', 'Quantity'] }),
  },
  'names of SAP in English': {
    content: table({ header: ['Material', 'Plant', 'Document Date', 'Sales Quantity'] }),
  },
  'names in any case with blanks': {
    content: table({ header: [' SKU ', 'Location', '"Date"', ' QUANTITY'] }),
  },
  'names in another order with further columns': {
    content:
      'note;quantity;date;location;sku\n' +
      ROWS.map((row) => `x;${row.quantity};${row.date};${row.location};${row.sku}\n`).join(''),
  },
  'signs in the header that nobody sees': {
    content: table({ header: ['\u200bsku', '\u00a0location\u00a0', 'date\u200e', 'quantity'] }),
  },
  'the index of a data frame': {
    content: table()
      .split('\n')
      .map((line, i) => (line ? `${i ? i - 1 : ''},${line}` : ''))
      .join('\n'),
  },
  'a column for each day': {
    content: 'sku,location,2026-11-03,2026-11-04\nA,L,1,2\n',
    refused:
      /line 1: there are no columns date, quantity; this line names sku, location, 2026-11-03/,
  },
  'a column that could be a second SKU': {
    content: table({ header: ['Artikel', 'EAN', 'Datum', 'Menge'] }),
    refused: /line 1: Artikel and EAN can both be the column sku: rename the right one to sku/,
  },
  'a column that is missing': {
    content: table({ header: ['sku', 'location', 'date', 'note'] }),
    refused: /line 1: there is no column quantity; this line names sku, location, date, note/,
  },
  'no header': {
    content: table().split('\n').slice(1).join('\n'),
    refused: /line 1: there are no columns sku, location, date, quantity; this line names A-1, L1/,
  },
  'a column twice': {
    content: table({ header: ['sku', 'sku', 'date', 'quantity'] }),
    refused: /line 1: there are two columns sku/,
  },
  nothing: { content: '', refused: /line 1: the file is empty, it has no header/ },
  'line ends of an old Mac': {
    content: table({ end: '\r' }),
    refused: /line 1: lines must end with LF or CRLF, not CR alone/,
  },
  // Dates
  'dates as dd.mm.yyyy': { content: table({ date: german }) },
  'dates as d.m.yyyy': { content: table({ date: (date) => german(date).replaceAll('.0', '.') }) },
  'dates as m/d/yyyy': { content: table({ date: american }) },
  'dates as dd/mm/yyyy': { content: table({ date: british }) },
  'dates as dd-mm-yyyy': { content: table({ date: (date) => british(date).replaceAll('/', '-') }) },
  'dates as yyyy/mm/dd': { content: table({ date: (date) => date.replaceAll('-', '/') }) },
  'dates as yyyymmdd': { content: table({ date: (date) => date.replaceAll('-', '') }) },
  'dates with midnight': { content: table({ date: (date) => `${date} 00:00:00` }) },
  'dates with a time and zone': { content: table({ date: (date) => `${date}T08:30:00.000Z` }) },
  'dates of a German Excel with a time': {
    content: table({ date: (date) => `${german(date)} 0:00` }),
  },
  'dates of an English Excel with a time': {
    content: table({ date: (date) => `${american(date)} 12:00 AM` }),
  },
  'dates as yyyy.mm.dd': { content: table({ date: (date) => date.replaceAll('-', '.') }) },
  'dates with thousandths of seconds': {
    content: table({ date: (date) => `${date} 00:00:00.000` }),
  },
  'dates with a zone of Europe': { content: table({ date: (date) => `${date}T00:00:00+01:00` }) },
  'dates of Oracle': {
    content: dates('03-NOV-2026', '14-NOV-2026'),
    refused: /line 2: date "03-NOV-2026" is no date that is understood: write it as YYYY-MM-DD/,
  },
  'dates with the day of the week': {
    content: dates('Tue 2026-11-03', 'Sat 2026-11-14'),
    refused: /line 2: date "Tue 2026-11-03" is no date that is understood/,
  },
  'seconds since 1970': {
    content: dates('1793664000', '1794614400'),
    refused: /line 2: date "1793664000" is no date that is understood/,
  },
  'weeks instead of days': {
    content: dates('2026-W45', '2026-W46'),
    refused: /line 2: date "2026-W45" is no date that is understood/,
  },
  'months instead of days': {
    content: dates('2026-11', '2026-12'),
    refused: /line 2: date "2026-11" is no date that is understood/,
  },
  'dates that can be two days': {
    content: dates('03/04/2026', '05/06/2026'),
    refused:
      /line 2: date "03\/04\/2026" can be 2026-04-03 or 2026-03-04; .*DD\/MM\/YYYY.* or .*MM\/DD\/YYYY/,
  },
  'dates of another kind than was said': {
    content: table({ date: german }),
    formats: { date_format: 'MM/DD/YYYY' },
    refused: /line 2: date "03\.11\.2026" is not written as MM\/DD\/YYYY; .*DD\.MM\.YYYY/,
  },
  'dates in two ways': {
    content: dates('2026-11-03', '2026-11-04', '05.11.2026', '06.11.2026', '2026-11-07'),
    refused:
      /line 4: date "05\.11\.2026" is not written as YYYY-MM-DD.* write all dates in one way/,
  },
  'years of two digits': {
    content: dates('03.11.26', '14.11.26'),
    refused: /line 2: date "03\.11\.26" has a year of two digits: write it with four/,
  },
  'day numbers of Excel': {
    content: dates('46329', '46340'),
    refused: /line 2: date "46329" is a day number of Excel: format the column as a date/,
  },
  'dates in words': {
    content: dates('3. November 2026', '14. November 2026'),
    refused:
      /line 2: date "3\. November 2026" is no date that is understood: write it as YYYY-MM-DD/,
  },
  // Numbers
  'decimal comma': { content: table({ separator: ';', number: comma }) },
  'decimal comma in quotes': { content: table({ number: (value) => `"${comma(value)}"` }) },
  'thousands as in German': {
    content: table({
      separator: ';',
      number: (value) => value.toLocaleString('de', { minimumFractionDigits: 2 }),
    }),
  },
  'thousands as in English': {
    content: table({
      number: (value) => `"${value.toLocaleString('en', { minimumFractionDigits: 2 })}"`,
    }),
  },
  'thousands with blanks': {
    content: table({
      separator: ';',
      number: (value) => comma(value).replace('1250', '1\u00a0250,0'),
    }),
  },
  'thousands with apostrophes': {
    content: table({ separator: ';', number: (value) => String(value).replace('1250', "1'250") }),
  },
  'thousands with narrow blanks': {
    content: table({
      separator: ';',
      number: (value) => comma(value).replace('1250', '1\u202f250,0'),
    }),
  },
  'thousands with typographic apostrophes': {
    content: table({ separator: ';', number: (value) => String(value).replace('1250', '1’250') }),
  },
  'numbers with an exponent': {
    content: table({ separator: ';', number: (value) => comma(value).replace('1250', '1,25E+03') }),
  },
  'numbers with plus signs': { content: table({ number: (value) => `+${value}` }) },
  'numbers that begin with the decimal sign': {
    content: table({ separator: ';', number: comma }) + 'X;L2;2026-11-20;,5\n',
    more: [{ sku: 'X', location: 'L2', date: '2026-11-20', quantity: 0.5 }],
  },
  'thousands as in India': {
    content: `${HEADER.join()}\nA,L,2026-11-03,"1,25,000.50"\nA,L,2026-11-04,"2,00,000"\n`,
    refused: /line 2: quantity "1,25,000\.50" is no number: write digits with one decimal sign/,
  },
  'numbers with a currency': {
    content: quantities('5 €', '7 €'),
    refused: /quantity "5 €" is no number: write digits with one decimal sign, without currency/,
  },
  percentages: { content: quantities('5 %', '7 %'), refused: /quantity "5 %" is no number/ },
  'numbers of another base': {
    content: quantities('0x10', '0x11'),
    refused: /"0x10" is no number/,
  },
  'the word of a program for nothing': {
    content: quantities('NaN', 'NaN'),
    refused: /quantity "NaN" is no number/,
  },
  'errors of Excel for numbers': {
    content: quantities('#NV', '#NV'),
    refused: /quantity "#NV" is no number/,
  },
  'errors of Excel for codes': {
    content: table({ skus: ['#NV', '#REF!', '007'] }),
    refused: /sku .*is an error of Excel: mend the formula and export again/,
  },
  'minus signs in other forms': {
    content: quantities('(5)', '5-', '−5'),
    refused: /quantity "\(5\)" must not be negative|a negative quantity: -5/,
  },
  'numbers that can be two': {
    content: quantities('1.250', '12'),
    refused: /line 2: quantity "1\.250" can be 1\.25 or 1250; .*decimal/,
  },
  'numbers that only a price would decide': {
    content: 'sku;location;date;quantity;price\nA;L;2026-11-03;1,250;3.99\n',
    refused: /line 2: quantity "1,250" can be 1250 or 1\.25; .*decimal/,
  },
  'numbers with a unit': {
    content: quantities('12 kg', '7 kg'),
    refused: /line 2: quantity "12 kg" is no number: write digits with one decimal sign, without/,
  },
  'numbers with another sign than was said': {
    content: table({ separator: ';', number: (value) => value.toFixed(1).replace('.', ',') }),
    formats: { decimal: '.' },
    refused: /line 2: quantity "12,0" does not have "\." as decimal sign; .*decimal.*,/,
  },
  'no numbers at all': {
    content: quantities('n/a', 'n/a'),
    refused: /line 2: quantity "n\/a" is no number/,
  },
  // Excel
  "Excel's export in German": { content: Buffer.from(germanExcel, 'latin1') },
  "Excel's export in English": { content: englishExcel },
  "Excel's export in English as UTF-8": { content: `\ufeff${englishExcel}` },
  'a workbook': { content: sheet(), ending: '.xlsx' },
  'a workbook named .csv': { content: sheet() },
  'a workbook in German': {
    content: workbook([GERMAN_HEADER, ...cells(german, comma)]),
    ending: '.xlsx',
  },
  'a workbook with its table on the second sheet': {
    content: workbook([['Read me']], [HEADER, ...cells()], [['Other']]),
    ending: '.xlsx',
  },
  'a workbook with empty rows and columns': {
    content: workbook([[], [...HEADER, null], ...cells().flatMap((row) => [[], row]), [], [null]]),
    ending: '.xlsx',
  },
  'a workbook of numbers beside texts with a decimal comma': {
    content: workbook([
      HEADER,
      ['A-1', 'L1', new Date('2026-11-03'), '12,0'],
      ['A-1', 'L1', new Date('2026-11-14'), '7,5'],
      ['007', 'L2', new Date('2026-11-20'), 1250],
      ['X', 'L2', new Date('2026-11-20'), 1.125],
    ]),
    ending: '.xlsx',
    more: [{ sku: 'X', location: 'L2', date: '2026-11-20', quantity: 1.125 }],
  },
  'a workbook whose texts are said to be German': {
    content: workbook([
      HEADER,
      ['A-1', 'L1', new Date('2026-11-03'), 12],
      ['A-1', 'L1', '14.11.2026', 7.5],
      ['007', 'L2', '20.11.2026', '1.250'],
    ]),
    ending: '.xlsx',
    formats: { decimal: ',', date_format: 'DD.MM.YYYY' },
  },
  'a workbook whose texts can be two numbers': {
    content: workbook([HEADER, ['A', 'L', new Date('2026-11-03'), '1.250']]),
    ending: '.xlsx',
    refused: /line 2: quantity "1\.250" can be 1\.25 or 1250; .*decimal/,
  },
  'a workbook with its table on two sheets': {
    content: workbook([HEADER, ...cells()], [HEADER, ...cells()]),
    ending: '.xlsx',
    refused: /the sheets "Sheet1" and "Sheet2" all have the columns: keep one of them/,
  },
  'a workbook with a title above its table, on the second sheet': {
    content: workbook([['Read me']], [['Sales'], HEADER, ...cells()]),
    ending: '.xlsx',
    refused:
      /line 1: sheet "Sheet2": there are no columns .*; the header seems to be in line 2: delete what stands above it/,
  },
  'a workbook that counts days from 1904': {
    content: workbook1904([HEADER, ...cells()]),
    ending: '.xlsx',
    refused: /the workbook counts days from 1904: save it as CSV/,
  },
  'a workbook with days for codes': {
    content: workbook([
      HEADER,
      ...cells().map(([, ...others]) => [new Date('2026-03-11'), ...others]),
    ]),
    ending: '.xlsx',
    refused: /sku .*is a date: format the column as text/,
  },
  'a workbook whose other texts are said to be German': {
    content: sheet(),
    ending: '.xlsx',
    formats: { decimal: ',', date_format: 'DD.MM.YYYY' },
  },
  'a workbook without a column': {
    content: workbook([['sku', 'location', 'date'], ...cells()]),
    ending: '.xlsx',
    refused: /line 1: there is no column quantity; this line names sku, location, date/,
  },
  'a damaged workbook': {
    content: sheet().subarray(0, 600),
    ending: '.xlsx',
    refused: /the workbook is damaged: save it again as \.xlsx or as CSV/,
  },
  'a workbook of Excel 97': {
    content: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    refused: /Excel 97 \(\.xls\): save it as \.xlsx or as CSV UTF-8/,
  },
}
