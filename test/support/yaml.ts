// YAML with merges (`<<`) and several documents in a file, as Docker Compose and Helm read it; by the library that CAP brings.
import { readFileSync } from 'node:fs'
import cds from '@sap/cds'

interface Library {
  parse(text: string, options?: { merge?: boolean }): unknown
  parseAllDocuments(text: string): { toJS(): unknown }[]
}

const { yaml } = (cds as unknown as { utils: { yaml: Library } }).utils

export const parseYaml = <T>(text: string) => yaml.parse(text, { merge: true }) as T
export const readYaml = <T>(file: string) => parseYaml<T>(readFileSync(file, 'utf8'))
/** Without empty ones. */
export const parseDocuments = <T>(text: string) =>
  yaml
    .parseAllDocuments(text)
    .map((document) => document.toJS() as T)
    .filter(Boolean)
