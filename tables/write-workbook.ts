// Workbooks and archives: the same tables give the same bytes. Text is stored as text, which is never run as a formula.
import { zipSync } from 'fflate'

/** Cells as text; numbers with a point, days as `YYYY-MM-DD`, times as `YYYY-MM-DD hh:mm:ss`. */
type Row = readonly (string | null)[]

export interface Sheet {
  name: string
  header: readonly (readonly string[])[]
  kinds: readonly (keyof typeof STYLES)[]
  rows: readonly Row[]
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Of styles.xml. */
const STYLES = { text: 0, number: 0, day: 1, time: 2 } as const

export function workbookOf(tables: readonly Sheet[]): Buffer {
  const each = (line: (at: number, table: Sheet) => string) =>
    tables.map((table, at) => line(at + 1, table)).join('')
  const parts: Record<string, string> = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
      each(
        (at) =>
          `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
      ) +
      '</Types>',
    '_rels/.rels':
      `<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `<workbook xmlns="${SHEETS}" xmlns:r="${DOCUMENT}"><sheets>` +
      each((at, { name }) => `<sheet name="${escape(name)}" sheetId="${at}" r:id="rId${at}"/>`) +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${PACKAGE}/relationships">` +
      each(
        (at) =>
          `<Relationship Id="rId${at}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
      ) +
      `<Relationship Id="rId${tables.length + 1}" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${SHEETS}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
      '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
      '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>' +
      '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>' +
      '<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>',
  }
  tables.forEach((table, at) => (parts[`xl/worksheets/sheet${at + 1}.xml`] = sheetOf(table)))
  return zipOf(
    Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(HEAD + text) })),
  )
}

function sheetOf({ header, kinds, rows }: Sheet): string {
  const texts = kinds.map(() => 'text' as const)
  const lines = [
    ...header.map((row) => ({ row, kinds: texts })),
    ...rows.map((row) => ({ row, kinds })),
  ].map(({ row, kinds }, at) => `<row r="${at + 1}">${cellsOf(row, kinds, at + 1)}</row>`)
  return `<worksheet xmlns="${SHEETS}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const cellsOf = (row: Row, kinds: readonly (keyof typeof STYLES)[], line: number) =>
  row
    .map((cell, at) => {
      if (cell === null) return ''
      const [kind, place] = [kinds[at]!, `r="${lettersOf(at)}${line}"`]
      if (kind === 'text')
        return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
      const value = kind === 'number' ? cell : serialOf(cell)
      return `<c ${place} s="${STYLES[kind]}"><v>${value}</v></c>`
    })
    .join('')

/** `A` of the first column, `AA` of the 27th. */
const lettersOf = (at: number): string =>
  (at < 26 ? '' : lettersOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

/** Days since 30 December 1899. */
function serialOf(cell: string): number {
  const at = Date.parse(cell.length > 10 ? `${cell.replace(' ', 'T')}Z` : cell)
  return (at - Date.UTC(1899, 11, 30)) / 86_400_000
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Without the control characters that XML does not know. */
const escape = (text: string) =>
  text
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!)

interface Entry {
  name: string
  bytes: Buffer
}

/** Of the local time zone, as the archive writes it: the files bear the first day that it knows, wherever it is made. */
const FIRST_DAY = new Date(1980, 0, 1)

export const zipOf = (entries: Entry[]): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes])), {
      mtime: FIRST_DAY,
    }),
  )
