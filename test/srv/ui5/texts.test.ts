import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { de } from '../../../srv/buyer/texts/de.ts'
import { en } from '../../../srv/buyer/texts/en.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Keys of a properties file. */
async function keysOf(file: string) {
  const text = await readFile(path.join(root, file), 'utf8')
  return text.split('\n').flatMap((line) => /^([\w-]+) = \S/.exec(line)?.[1] ?? [])
}

const BUNDLES = [
  ...['srv/buyer/_i18n', 'app/buyer/webapp/i18n'],
  ...['app/admin/_i18n', 'app/admin/webapp/i18n'],
]

describe('every text', () => {
  it.each(BUNDLES)('of %s is there in English and in German', async (folder) => {
    const english = await keysOf(`${folder}/i18n.properties`)
    expect(english.length).toBeGreaterThan(5)
    expect((await keysOf(`${folder}/i18n_de.properties`)).sort()).toEqual(english.sort())
  })

  it.each(['annotations.cds', 'annotations-details.cds'])('that %s names exists', async (file) => {
    const text = await readFile(path.join(root, 'srv/buyer', file), 'utf8')
    const named = [...text.matchAll(/i18n>([\w-]+)/g)].map(([, key]) => key!)
    const known = new Set(await keysOf('srv/buyer/_i18n/i18n.properties'))
    expect(named.filter((key) => !known.has(key))).toEqual([])
  })

  it('of a code has the same places in both languages', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
    for (const [topic, texts] of Object.entries(en)) {
      if (topic === 'why') continue // in English it is stored
      for (const [code, text] of Object.entries(texts as Record<string, string>)) {
        const german = (de as unknown as Record<string, Record<string, string>>)[topic]![code]!
        expect([topic, code, places(german)]).toEqual([topic, code, places(text)])
      }
    }
  })
})
