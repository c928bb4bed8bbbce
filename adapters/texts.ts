// What people are told of the fields of a connection: `texts.json` here, and in the folder of each kind of ERP.
import { readFileSync } from 'node:fs'

/** By language, `""` for English; keys as in `docs/guides/adding-an-adapter.md`. */
type Texts = Record<string, Record<string, string>>

const known = new Map<string, Texts>()

/** Texts of a kind of ERP before those of all. */
export function textsOf(type: string, language: string): Record<string, string> {
  const spoken = language.toLowerCase().split(/[-_]/)[0]!
  const [common, own] = [read('./texts.json'), read(`./${type.replaceAll('_', '-')}/texts.json`)]
  return { ...common[''], ...common[spoken], ...own[''], ...own[spoken] }
}

function read(file: string): Texts {
  const found = known.get(file) ?? readTexts(new URL(file, import.meta.url))
  known.set(file, found)
  return found
}

function readTexts(file: URL): Texts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Texts
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
