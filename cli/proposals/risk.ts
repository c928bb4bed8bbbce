import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, wholeNumber } from '../command.ts'
import { print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import type { Command } from 'commander'
import type { components, DataOf } from '../../client/index.ts'

type Risk = components['schemas']['Risk']

/** `restock proposals risk <id>` */
export function riskCommand(): Command {
  return apiCommand('risk', 'show the risk of no order, the proposed one and another quantity', [
    'proposals risk prop_1042',
    'proposals risk prop_1042 --quantity 160',
  ])
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .option('--quantity <units>', 'another quantity', wholeNumber(0))
    .action(risk)
}

interface Options {
  quantity?: number
  json?: true
}

async function risk(id: string, { json, quantity }: Options): Promise<void> {
  const client = openClient()
  const query = { quantity }
  const answer = await client.call('get', '/proposals/{id}/risk', { path: { id }, query })
  if (json) return printJson(answer)
  printRisk(dataOf(answer, ['none', 'proposed']))
}

function printRisk({ none, proposed, asked, currency }: DataOf<'get', '/proposals/{id}/risk'>) {
  const percent = ({ stockout_probability: chance }: Risk) => `${(chance * 100).toFixed(1)} %`
  print(
    tableOf<Risk>(
      [
        { head: 'Quantity', value: (row) => row.quantity, isRightAligned: true },
        { head: 'Chance of stockout', value: percent, isRightAligned: true },
        { head: 'Empty on', value: (row) => row.stockout_day },
        { head: 'Days of supply', value: (row) => row.days_of_supply_p50, isRightAligned: true },
        { head: 'at high demand', value: (row) => row.days_of_supply_p90, isRightAligned: true },
        {
          head: `Value ${currency ?? ''}`.trim(),
          value: (row) => row.value,
          isRightAligned: true,
        },
      ],
      [none, proposed, ...(asked ? [asked] : [])],
    ),
  )
}
