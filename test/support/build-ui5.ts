// Builds the UI5 libraries before the tests of the apps (a minute or two) if they are missing or outdated.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildInto } from '../../scripts/ui5/build.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, '.restock/ui5')
const keyFile = path.join(folder, '.key')

/** The sources of the build. */
const SOURCES = [
  ...['app/ui5.yaml', 'app/dependencies.yaml', 'node_modules/@ui5/cli/package.json'],
  ...['build.ts', 'cli.ts', 'compress.ts', 'drop-sources.ts', 'one-file.ts', 'used.ts'].map(
    (name) => `scripts/ui5/${name}`,
  ),
]

async function keyOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of SOURCES) hash.update(await readFile(path.join(root, name)))
  return hash.digest('hex')
}

export default async function buildUi5() {
  const key = await keyOfSources()
  const builtKey = existsSync(keyFile) ? await readFile(keyFile, 'utf8') : ''
  if (builtKey === key) return
  try {
    await buildInto(folder, () => {})
    await writeFile(keyFile, key)
  } catch (error) {
    const why = (error as Error).message
    process.stderr.write(`The tests of the apps are skipped: UI5 cannot be fetched. ${why}\n`)
  }
}
