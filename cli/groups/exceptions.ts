import { openClient, type Body, type Query } from '../client.ts'
import { callCommand, codes, collect, group, listCommand, option, PAGING } from '../command.ts'
import { money, words } from '../output.ts'

/** `restock exceptions …` */
export const exceptionsCommand = () =>
  group('exceptions', 'list and settle what no order can mend', [
    listCommand({
      name: 'list',
      summary: 'list what no order can mend, the newest first',
      examples: [
        'exceptions list --kind expedite,overdue_order',
        'exceptions list --supplier S-7',
        'exceptions list --settled --json',
      ],
      options: [
        option('--kind <kind>', 'repeat for several, e.g. expedite', collect),
        ...codes('location', 'sku', 'supplier'),
        option('--settled', 'those that somebody has settled, instead of the open ones'),
        ...PAGING,
      ],
      call: (query: Query<'/exceptions'>) => openClient().call('get', '/exceptions', { query }),
      needs: ['id', 'kind', 'sku', 'location', 'quantity', 'message'],
      none: 'There are no such exceptions.',
      columns: [
        ['ID', (row) => row.id],
        ['Kind', (row) => words(row.kind)],
        ['SKU', (row) => row.sku],
        ['Location', (row) => row.location],
        ['Supplier', (row) => row.supplier],
        ['Quantity', (row) => row.quantity, 'right'],
        ['Value', ({ value, currency }) => value && money(value, currency), 'right'],
        ['Details', (row) => row.message],
      ],
    }),
    callCommand({
      name: 'settle',
      summary: 'take an exception off the list for as long as it holds',
      examples: [
        'exceptions settle exc_12',
        'exceptions settle exc_12 --comment "arrives on Monday"',
      ],
      args: { '<id>': 'the exception, e.g. exc_12' },
      options: [option('--comment <text>', 'kept with the exception and in the audit trail')],
      call: (body: Body<'post', '/exceptions/{id}/settle'>, id) =>
        openClient().call('post', '/exceptions/{id}/settle', { path: { id }, body }),
      needs: ['kind', 'sku', 'location'],
      tell: ({ kind, sku, location }, _options, id) =>
        `Settled ${id}: ${words(kind)}, ${sku} at ${location}.`,
    }),
  ])
