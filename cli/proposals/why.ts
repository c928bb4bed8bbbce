import type { components } from '../../client/index.ts'
import { openClient, type Query } from '../client.ts'
import { codes, listCommand, PAGING } from '../command.ts'
import { words } from '../output.ts'

type Item = components['schemas']['Item']

/** `restock proposals why` */
export const whyCommand = () =>
  listCommand({
    name: 'why',
    summary: 'say of every item why it is ordered or not, and what would change it',
    examples: ['proposals why --sku B1_1', 'proposals why --sku B1_1 --location L1 --json'],
    options: [...codes('sku', 'location'), ...PAGING],
    call: (query: Query<'/items'>) => openClient().call('get', '/items', { query }),
    needs: ['sku', 'location', 'state', 'why'],
    none: 'There is no such item with demand.',
    columns: [
      ['SKU', (row: Item) => row.sku],
      ['Location', (row: Item) => row.location],
      ['State', (row: Item) => words(row.state)],
      ['Why', (row: Item) => [row.why, row.change].filter(Boolean).join(' ')],
    ],
  })
