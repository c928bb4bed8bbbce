import { readFileSync } from 'node:fs'
import { CHANGED, CREATED, DELETED, VIEWS } from '../../../adapters/sql/views.ts'

const README = new URL('../../../adapters/sql/README.md', import.meta.url)

it('publishes the columns of each view', () => {
  const table = /<!-- views -->([^]*)<!-- end -->/.exec(readFileSync(README, 'utf8'))![1]!
  const rows = [...table.matchAll(/^\| `(\w+)` *\| (.*?) *\| (.*?) *\|$/gm)]
  expect(rows.map(([, name, columns, key]) => ({ name, columns, key }))).toEqual(
    VIEWS.map(({ name, required, optional, key, changes }) => ({
      name,
      columns: [
        ...required.map((column) => `**${column}**`),
        ...optional,
        ...(changes ? [CHANGED, CREATED, DELETED] : []),
      ].join(', '),
      key: key.join(', '),
    })),
  )
})
