// What the apps call things, in English and German.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const common = JSON.parse(read('_i18n/i18n.json')) as Record<string, Record<string, string>>

function propertiesOf(file: string): [string, string][] {
  const lines = read(file)
    .split('\n')
    .filter((line) => line.includes(' = '))
  return lines.map((line) => {
    const at = line.indexOf(' = ')
    return [line.slice(0, at), line.slice(at + 3)]
  })
}

export type Locale = 'en' | 'de'

/** The text of a key of the apps' own files or of the annotations. */
export function wordsOf(locale: Locale, app: 'buyer' | 'admin'): (key: string) => string {
  const suffix = locale === 'de' ? '_de' : ''
  const own = propertiesOf(`app/${app}/webapp/i18n/i18n${suffix}.properties`)
  const texts = new Map([...Object.entries(common[locale === 'de' ? 'de' : '']!), ...own])
  return (key) => {
    const text = texts.get(key)
    if (text === undefined) throw new Error(`no text has the key ${key}`)
    return text
  }
}
