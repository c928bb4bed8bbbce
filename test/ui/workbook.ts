import { inflateRawSync } from 'node:zlib'

const ENTRY = 'PK\x01\x02'
const STORED = 0

/** A file of a ZIP archive, by its central directory. */
export function fileOf(archive: Buffer, wanted: string): string {
  for (let at = archive.indexOf(ENTRY, 0, 'latin1'); at >= 0;) {
    const [size, name] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    if (archive.toString('utf8', at + 46, at + 46 + name) === wanted) {
      const local = archive.readUInt32LE(at + 42)
      const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      const content = archive.subarray(from, from + size)
      const isStored = archive.readUInt16LE(at + 10) === STORED
      return (isStored ? content : inflateRawSync(content)).toString('utf8')
    }
    at = archive.indexOf(ENTRY, at + 46 + name, 'latin1')
  }
  throw new Error(`There is no ${wanted}.`)
}

/** Number of rows of a workbook's first sheet. */
export const rowsOfSheet = (workbook: Buffer): number =>
  fileOf(workbook, 'xl/worksheets/sheet1.xml').split('<row ').length - 1
