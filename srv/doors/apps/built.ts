import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'

/** The UI5 libraries: as production ships them, or as `npm run ui5` builds them. */
export function builtFolder(): string {
  const shipped = path.resolve(cds.root, 'ui5')
  return existsSync(shipped) ? shipped : path.resolve(cds.root, '.restock/ui5')
}

const versionFile = () => path.join(builtFolder(), 'resources', 'sap-ui-version.json')

export const isBuilt = () => existsSync(versionFile())

let known = { file: '', at: 0, version: '' }

/**
 * Which build is served: pages name it, so that browsers may keep what they have of it. It is the same on every instance
 * that serves this build. Throws where there is none.
 */
export function builtVersion(): string {
  const file = versionFile()
  const at = statSync(file).mtimeMs
  if (known.file !== file || known.at !== at) {
    const { buildTimestamp } = JSON.parse(readFileSync(file, 'utf8')) as { buildTimestamp: string }
    known = { file, at, version: buildTimestamp }
  }
  return known.version
}
