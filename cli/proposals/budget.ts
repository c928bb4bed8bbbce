import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { type Column, tableOf } from '../table.ts'
import { count, toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { DataOf, InputOf } from '../../client/index.ts'

type Query = NonNullable<InputOf<'get', '/proposals/budget'>['query']>
type Budget = DataOf<'get', '/proposals/budget'>
type Line = Budget['data'][number]

type Options = Query & { json?: true }

/** `restock proposals budget` */
export function budgetCommand(): Command {
  return apiCommand('budget', 'say which pending proposals a budget is best spent on', [
    'proposals budget --supplier S-7 --budget 20000',
    'proposals budget --supplier S-7 --units 480 --json',
  ])
    .option('--budget <amount>', 'money to spend, e.g. 20000 or 19999.50')
    .option('--units <n>', 'units to fill, e.g. of a container', wholeNumber(0, 999_999_999))
    .option('--supplier <code>')
    .option('--location <code>')
    .option('--currency <code>', 'e.g. EUR; needed where the proposals are in several')
    .action(showBudget)
}

async function showBudget({ json, ...query }: Options): Promise<void> {
  if (query.budget === undefined && query.units === undefined) {
    throw new WrongUsage('Give --budget, --units or both.')
  }
  const client = openClient()
  const answer = await client.call('get', '/proposals/budget', { query })
  if (json) return printJson(answer)
  const budget = dataOf(answer, ['data', 'value', 'units', 'not_taken', 'left_out'])
  if (budget.data.length) print(tableOf(COLUMNS, budget.data))
  else note('The budget pays no pending proposal.')
  totalsOf(budget).forEach((line) => print(toSafeText(line)))
  const { other_currency, without_cost } = budget.left_out
  if (other_currency) note(`Left out: ${count(other_currency, 'proposal')} in another currency.`)
  if (without_cost) note(`Left out: ${count(without_cost, 'proposal')} without a unit cost.`)
}

const COLUMNS: Column<Line>[] = [
  { head: 'ID', value: (row) => row.id },
  { head: 'SKU', value: (row) => row.sku },
  { head: 'Location', value: (row) => row.location },
  { head: 'Quantity', value: (row) => row.quantity, isRightAligned: true },
  { head: 'Proposed', value: (row) => row.proposed_quantity, isRightAligned: true },
  { head: 'Value', value: (row) => row.value, isRightAligned: true },
  { head: 'Cost of waiting', value: (row) => row.value_at_risk, isRightAligned: true },
]

function totalsOf({ data, value, units, currency, left_value, left_units, not_taken }: Budget) {
  const money = (amount: string) => `${amount} ${currency ?? ''}`.trim()
  const left = [
    ...(left_value === null ? [] : [money(left_value)]),
    ...(left_units === null ? [] : [count(left_units, 'unit')]),
  ]
  const total = [count(data.length, 'line'), count(units, 'unit'), money(value)].join(', ')
  return [
    `Total: ${total}. Left: ${left.join(', ')}.`,
    `Not taken: ${count(not_taken.lines, 'whole line')}, ${money(not_taken.value)} in all; ` +
      `waiting with it costs ${money(not_taken.value_at_risk)}.`,
  ]
}
