import type { DataOf } from '../../client/index.ts'
import { openClient, type Query } from '../client.ts'
import { callCommand, codes, option, wholeNumber } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { count, money, note, print } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

type Budget = DataOf<'get', '/proposals/budget'>

/** `restock proposals budget` */
export const budgetCommand = () =>
  callCommand({
    name: 'budget',
    summary: 'say which pending proposals a budget is best spent on',
    examples: [
      'proposals budget --supplier S-7 --budget 20000',
      'proposals budget --supplier S-7 --units 480 --json',
    ],
    options: [
      option('--budget <amount>', 'money to spend, e.g. 20000 or 19999.50'),
      option('--units <n>', 'units to fill, e.g. of a container', wholeNumber(0, 999_999_999)),
      ...codes('supplier', 'location'),
      option('--currency <code>', 'e.g. EUR; needed where the proposals are in several'),
    ],
    call(query: Query<'/proposals/budget'>) {
      if (query.budget === undefined && query.units === undefined) {
        throw new WrongUsage('Give --budget, --units or both.')
      }
      return openClient().call('get', '/proposals/budget', { query })
    },
    needs: ['data', 'value', 'units', 'not_taken', 'left_out'],
    tell(budget) {
      if (budget.data.length) print(...linesOf(LINES, budget.data))
      else note('The budget pays no pending proposal.')
      print(...totalsOf(budget))
      const { other_currency, without_cost } = budget.left_out
      if (other_currency)
        note(`Left out: ${count(other_currency, 'proposal')} in another currency.`)
      if (without_cost) note(`Left out: ${count(without_cost, 'proposal')} without a unit cost.`)
    },
  })

const LINES: Column<Budget['data'][number]>[] = [
  ['ID', (row) => row.id],
  ['SKU', (row) => row.sku],
  ['Location', (row) => row.location],
  ['Quantity', (row) => row.quantity, 'right'],
  ['Proposed', (row) => row.proposed_quantity, 'right'],
  ['Value', (row) => row.value, 'right'],
  ['Cost of waiting', (row) => row.value_at_risk, 'right'],
]

function totalsOf({ data, value, units, currency, left_value, left_units, not_taken }: Budget) {
  const left = [
    ...(left_value === null ? [] : [money(left_value, currency)]),
    ...(left_units === null ? [] : [count(left_units, 'unit')]),
  ]
  const total = [count(data.length, 'line'), count(units, 'unit'), money(value, currency)]
  return [
    `Total: ${total.join(', ')}. Left: ${left.join(', ')}.`,
    `Not taken: ${count(not_taken.lines, 'whole line')}, ${money(not_taken.value, currency)} in all; ` +
      `waiting with it costs ${money(not_taken.value_at_risk, currency)}.`,
  ]
}
