// Which build of the UI5 libraries is served: pages name it, so that browsers may keep what they have of it.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { builtFolder } from './paths.ts'

let known = { file: '', at: 0, version: '' }

/** When it was built; the same on every instance that serves this build. Throws where there is none. */
export function builtVersion(): string {
  const file = path.join(builtFolder(), 'resources', 'sap-ui-version.json')
  const at = statSync(file).mtimeMs
  if (known.file !== file || known.at !== at) {
    const { buildTimestamp } = JSON.parse(readFileSync(file, 'utf8')) as { buildTimestamp: string }
    known = { file, at, version: buildTimestamp }
  }
  return known.version
}
