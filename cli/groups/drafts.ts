// What lies in the ERP before an order.
import { openClient, type Query } from '../client.ts'
import { codes, group, listCommand, option, PAGING } from '../command.ts'
import type { Draft } from '../../client/types.ts'
import { money, words } from '../output.ts'

/** `restock drafts …` */
export const draftsCommand = () =>
  group('drafts', 'requisitions, planned orders, requests for quotation and contracts of the ERP', [
    listCommand({
      name: 'list',
      summary: 'list what is not ordered yet, how old it is, and whether it counts as coming',
      examples: ['drafts list --sku A-100', 'drafts list --kind contract --supplier S-7'],
      options: [
        option('--kind <kind>', 'requisition, planned_order, rfq or contract'),
        ...codes('sku', 'location', 'supplier'),
        ...PAGING,
      ],
      call: (query: Query<'/drafts'>) => openClient().call('get', '/drafts', { query }),
      needs: ['document', 'kind', 'sku', 'remaining', 'standing'],
      none: 'Nothing lies in the ERP before an order.',
      columns: [
        ['Number', (row) => `${row.document}/${row.line}`],
        ['Kind', (row) => words(row.kind)],
        ['SKU', (row) => row.sku],
        ['Location', (row) => row.location ?? 'all'],
        ['Supplier', (row) => row.supplier],
        ['Quantity', (row) => inUnitsOrMoney(row, row.quantity, row.agreed_value), 'right'],
        ['Left', (row) => inUnitsOrMoney(row, row.remaining, row.remaining_value), 'right'],
        ['Due', (row) => row.due],
        ['Age', (row) => row.age_days, 'right'],
        ['Counts', (row) => words(row.standing)],
      ],
    }),
  ])

type Row = Pick<Draft, 'quantity' | 'currency'>

/** A contract over money has no quantity; a service of an earlier version knows of none. */
const inUnitsOrMoney = (
  { quantity, currency }: Row,
  units: number,
  value: string | null | undefined,
) => (quantity === 0 && value ? money(value, currency) : units)
