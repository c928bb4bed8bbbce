// Each code of an issue has its sentences, and the reference has them all.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { RECORDS } from '../../adapters/records.ts'
import { REMEDIES } from '../../srv/domain/sync/syncs.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const english = (JSON.parse(read('_i18n/messages.json')) as Record<string, Record<string, string>>)[
  ''
]!
const reference = read('docs/reference/issues.md').replace(/ +/g, ' ')
const known = Object.values(REMEDIES).flat()

/** Codes that a reader of an ERP may end or set a row aside with. */
const thrown = globSync(
  ['adapters/**/*.ts', 'srv/domain/sources/**/*.ts', 'srv/base/database/**/*.ts'],
  {
    cwd: root,
  },
).flatMap((file) => {
  const text = read(file)
  return [
    /(?:new Fatal|ofRow)\(\s*'(\w+)'/g,
    /new BadValue\([^;]*?, '(\w+_\w+)'\)/g,
    /^ {2}\d{3}: '(\w+)',$/gm,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code!))
})

it('every code has a remedy', () => {
  expect(new Set(thrown).size).toBeGreaterThan(25)
  expect(thrown.filter((code) => !known.includes(code))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})

it.each(Object.entries(REMEDIES))(
  'the reference has the remedy %s and its codes',
  (name, codes) => {
    const row = `| ${codes.map((code) => `\`${code}\``).join(' ')} | ${english[`remedy_${name}`]} |`
    expect(reference).toContain(row)
  },
)

it('the guide says of every code what to do', () => {
  const guide = read('docs/guides/troubleshooting.md')
  expect(known.filter((code) => !guide.includes(`\`${code}\``))).toEqual([])
})

it.each(Object.keys(RECORDS))('the reference says what %s mean for proposals', (stream) => {
  const [whole, row] = ['stream', 'row'].map((kind) => english[`impact_${kind}_${stream}`])
  expect(whole && row).toBeTruthy()
  expect(reference).toContain(`| \`${stream}\` | ${whole} | ${row} |`)
})
