// Version of the UI5 build, which addresses contain so that browsers may cache its files.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { builtFolder } from './paths.ts'

let known = { file: '', at: 0, version: '' }

/** The time of the build, equal on every instance. @throws Error where nothing is built */
export function builtVersion(): string {
  const file = path.join(builtFolder(), 'resources', 'sap-ui-version.json')
  const at = statSync(file).mtimeMs
  if (known.file !== file || known.at !== at) {
    const { buildTimestamp } = JSON.parse(readFileSync(file, 'utf8')) as { buildTimestamp: string }
    known = { file, at, version: buildTimestamp }
  }
  return known.version
}
