import { Option } from 'commander'
import type { Command } from 'commander'
import type { Quality } from '../client/index.ts'
import { dataOf } from './answers.ts'
import { openClient } from './client.ts'
import { apiCommand } from './command.ts'
import { note, print, printJson } from './output.ts'
import { readSources } from './sources/read.ts'
import { type Column, tableOf } from './table.ts'
import { toSafeText } from './text.ts'

const PARTS = ['group', 'supplier', 'location', 'pattern', 'abc', 'xyz']

interface Options {
  by?: string
  json?: true
}

type Figures = Quality | Quality['groups'][number] | Quality['worst'][number]

/** `restock quality [source]` */
export function qualityCommand(): Command {
  return apiCommand('quality', 'show how good the forecasts of a connected ERP were', [
    'quality',
    'quality src_2 --by supplier',
  ])
    .argument('[source]', 'the source, e.g. src_2 (the only one, where there is one)')
    .addOption(new Option('--by <part>', 'the figures of parts of it').choices(PARTS))
    .action(quality)
}

async function quality(source: string | undefined, { by, json }: Options): Promise<void> {
  const client = openClient()
  const ids = source ? [source] : (await readSources(client)).map(({ id }) => id)
  const [id] = ids
  if (!id) return note('No source is connected: see "restock connect --help".')
  if (ids.length > 1) return note(`Say of which source: ${ids.join(', ')}.`)
  const answer = await client.call('get', '/sources/{id}/quality', { path: { id } })
  if (json) return printJson(answer)
  const found = dataOf(answer, ['kind', 'cases', 'groups', 'worst'])
  if (!found.kind)
    return note('Nothing is scored yet: the past is too short, or no full sync has ended.')
  if (by) {
    const groups = found.groups.filter(({ part }) => part === by)
    return print(tableOf([...NAMES, ...columnsFor(found)], groups))
  }
  printSummary(id, found)
}

function printSummary(id: string, found: Quality): void {
  const how = found.kind === 'given' ? 'as they were given' : 'of the past, replayed'
  const months = [found.from, found.to].map((month) => month?.slice(0, 7)).join(' to ')
  print(
    toSafeText(
      `${id}: ${found.cases} forecasts of 28 days, ${how}, ${months}; ${found.pairs} of ${found.series} pairs.`,
    ),
  )
  print(`Bias of P50: ${withError(found.bias, found.bias_error)}`)
  print(
    `Loss against repeating the last season: ${withError(found.to_naive, found.to_naive_error)}`,
  )
  if (found.erp_cases) {
    print(`Error against the ERP's forecast: ${withError(found.to_erp, found.to_erp_error)}`)
    const biases = `${signed(found.erp_bias)} of the ERP, ${signed(found.bias_beside_erp)} beside it`
    print(`  in ${found.erp_cases} periods that both forecast; bias ${biases}`)
  }
  print('\nThe worst:')
  print(tableOf([...PAIRS, ...columnsFor(found)], found.worst))
}

const signed = (value: number | null) =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${value} %`

const withError = (value: number | null, error: number | null) =>
  error === null ? signed(value) : `${signed(value)} ± ${error}`

type Group = Quality['groups'][number]
const NAMES: Column<Group>[] = [
  { head: 'Code', value: ({ code }) => code || '–' },
  { head: 'Name', value: ({ name }) => name },
  { head: 'Items', value: ({ pairs }) => pairs, isRightAligned: true },
]

type Pair = Quality['worst'][number]
const PAIRS: Column<Pair>[] = [
  { head: 'SKU', value: ({ sku }) => sku },
  { head: 'Location', value: ({ location }) => location },
  { head: 'Pattern', value: ({ pattern }) => pattern },
]

function columnsFor({ currency, erp_cases }: Quality): Column<Figures>[] {
  const column = (head: string, value: (row: Figures) => string | number | null) => ({
    ...{ head, value, isRightAligned: true },
  })
  return [
    column('Cases', ({ cases }) => cases),
    column('Bias', (row) => withError(row.bias, row.bias_error)),
    column('Loss to naive', (row) => withError(row.to_naive, row.to_naive_error)),
    ...(erp_cases
      ? [column('Error to ERP', (row) => withError(row.to_erp, row.to_erp_error))]
      : []),
    column('Units off', ({ error }) => error),
    column(`Off in ${currency}`, ({ money }) => money),
  ]
}
