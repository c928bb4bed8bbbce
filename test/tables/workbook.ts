// Writes workbooks as Excel does: shared strings, dates as day numbers with a format.
import { crc32, deflateRawSync } from 'node:zlib'

type Cell = string | number | Date | null

/** A workbook with one sheet for each list of rows. */
export const workbook = (...sheets: Cell[][][]): Buffer => bookOf('', sheets)

/** One whose day numbers count from 1904, as LibreOffice says it. */
export const workbook1904 = (...sheets: Cell[][][]): Buffer => bookOf(' date1904="true"', sheets)

function bookOf(attribute: string, sheets: Cell[][][]): Buffer {
  const strings: string[] = []
  const numberOf = (text: string) => {
    const at = strings.indexOf(text)
    return at < 0 ? strings.push(text) - 1 : at
  }
  const worksheets = sheets.map((rows) => worksheet(rows, numberOf))
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const files: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${attribute}/><sheets>${sheets
      .map((_, i) => `<sheet name="Sheet${i + 1}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets
      .map(
        (_, i) =>
          `<Relationship Id="rId${i + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rId90" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId91" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
  }
  worksheets.forEach((text, i) => {
    files[`xl/worksheets/sheet${i + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${text}</sheetData></worksheet>`
  })
  return zip(
    Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(xml + text) })),
  )
}

function worksheet(rows: Cell[][], numberOf: (text: string) => number): string {
  const letter = (column: number) => String.fromCharCode(65 + column)
  const cellOf = (cell: Cell, place: string) => {
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
    if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${numberOf(cell)}</v></c>`
    return `<c r="${place}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  }
  return rows
    .map((cells, row) => {
      const text = cells.map((cell, column) => cellOf(cell, `${letter(column)}${row + 1}`))
      return `<row r="${row + 1}">${text.join('')}</row>`
    })
    .join('')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A ZIP archive (APPNOTE 4.3): local entries, the central directory, its end. */
function zip(files: { name: string; content: Buffer }[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    centrals.push(Buffer.from('PK\x01\x02'), version, common, place, Buffer.from(name))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end])
}
