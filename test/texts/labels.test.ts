import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Keys of a properties file. */
const keysOf = (file: string) =>
  read(file)
    .split('\n')
    .flatMap((line) => /^([\w-]+) = \S/.exec(line)?.[1] ?? [])

type Texts = Record<string, string>
const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe.each(globSync('_i18n/*.json', { cwd: root }))('%s', (file) => {
  const { '': english, de: german } = JSON.parse(read(file)) as { '': Texts; de: Texts }

  it('says the same in English and in German, with the same places', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(english)) {
      expect([key, text]).toEqual([key, expect.stringMatching(/\S/)])
      expect([key, placesOf(german[key]!)]).toEqual([key, placesOf(text)])
    }
  })
})

it('has each label that the annotations name, and no other', () => {
  const labels = Object.keys((JSON.parse(read('_i18n/i18n.json')) as { '': Texts })[''])
  const files = globSync('{app,db,srv}/**/*.cds', { cwd: root })
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/i18n>([\w-]+)/g)].map(([, key]) => key!),
  )
  expect(labels.toSorted()).toEqual([...new Set(named)].toSorted())
})

it.each(['app/buyer/webapp/i18n', 'app/admin/webapp/i18n'])(
  'has each text of %s in English and in German',
  (folder) => {
    const english = keysOf(`${folder}/i18n.properties`)
    expect(english.length).toBeGreaterThan(5)
    expect(keysOf(`${folder}/i18n_de.properties`).sort()).toEqual(english.sort())
  },
)

it.each(['app/buyer/webapp/i18n', 'app/admin/webapp/i18n'])(
  'has each question of %s in German, and twice in English, which Fiori elements asks for by its name',
  (folder) => {
    const lines = (file: string) => read(`${folder}/${file}`).split('\n').slice(1)
    const keys = (file: string) => lines(file).map((line) => line.split(' = ')[0])
    expect(lines('confirm_en.properties')).toEqual(lines('confirm.properties'))
    expect(keys('confirm_de.properties')).toEqual(keys('confirm.properties'))
  },
)
