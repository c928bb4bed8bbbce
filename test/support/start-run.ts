// The folder of compiled models (share-model.ts). What compiled them is its name, so that models of other sources are never
// read, and the next run of the same ones compiles nothing.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const cache = path.join(root, 'node_modules/.cache/restock-tests/models')
const UNUSED_MS = 7 * 86_400_000

/** What is compiled, and what compiles and configures it. */
function sources() {
  const models = ['app', 'db', 'srv'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.cds'))
      .map((name) => path.join(folder, name)),
  )
  return ['package.json', 'package-lock.json', 'test/support/share-model.ts', ...models.toSorted()]
}

/** Several projects of a run have one folder; other workers and the services that tests start inherit its name. */
export default function startRun() {
  const hash = createHash('sha256').update(root)
  for (const name of sources()) hash.update(name).update(readFileSync(path.join(root, name)))
  const folder = path.join(cache, hash.digest('hex').slice(0, 20))
  mkdirSync(folder, { recursive: true })
  process.env.TEST_MODELS = folder
  for (const name of readdirSync(cache)) {
    const other = path.join(cache, name)
    const isUnused = Date.now() - statSync(other).mtimeMs > UNUSED_MS
    if (other !== folder && isUnused) rmSync(other, { recursive: true, force: true })
  }
}
