// Before the tests of the apps: the UI5 libraries, built once (three minutes), where they are not there yet.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { buildInto } from '../../srv/ui5/tool.ts'

const folder = path.resolve(import.meta.dirname, '../../.restock/ui5')

export default async function buildUi5() {
  if (existsSync(path.join(folder, 'resources/sap-ui-version.json'))) return
  try {
    await buildInto(folder, () => {})
  } catch (error) {
    const why = (error as Error).message
    process.stderr.write(`The tests of the apps are skipped: UI5 cannot be fetched. ${why}\n`)
  }
}
