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
 * The version of the served build. Pages name it, so that browsers may cache its files. It is the same on every instance with
 * this build.
 * @throws Error without a build
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
