import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'

/** The service itself, on a free port, for the tests of one file. */
export const test = cds.test(path.resolve(import.meta.dirname, '../..'))

/** Writes the files of a csv source below the test's own root. @returns the account */
export async function csvSource(account: string, files: Record<string, string>) {
  const folder = path.join(process.env.RESTOCK_CSV_ROOT!, account)
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return account
}
