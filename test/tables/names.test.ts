import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLUMN_NAMES, columnsNamed, normalName } from '../../tables/names.ts'
import { TABLES } from '../../adapters/csv/tables.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/csv.md'), 'utf8')

it.each(Object.entries(COLUMN_NAMES))(
  'the guide publishes the other names of %s',
  (name, others) => {
    expect(guide.replaceAll(/ +/g, ' ')).toContain(`| \`${name}\` | ${others.join(', ')} |`)
    expect(others.map(normalName)).toEqual(others)
  },
)

it('other names are those of columns that a file can have', () => {
  const known = new Set(
    TABLES.flatMap(({ requiredColumns, optionalColumns }) => [
      ...requiredColumns,
      ...optionalColumns,
    ]),
  )
  expect(Object.keys(COLUMN_NAMES).filter((name) => !known.has(name))).toEqual([])
})

it.each([
  ['Artikel-Nr.', 'sku'],
  ['MATERIAL_NUMMER', null],
  ['Menge [Stk]', 'quantity'],
  ['Stu\u0308ck', 'quantity'],
  ['Lieferzeit (Tage)', 'lead_time_days'],
  ['__proto__', null],
])('%s is %s', (name, column) => {
  expect(columnsNamed(name)).toEqual(column === null ? [] : expect.arrayContaining([column]))
})
