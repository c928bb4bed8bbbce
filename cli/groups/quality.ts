import type { Quality } from '../../client/index.ts'
import { dataOf, openClient, readSources } from '../client.ts'
import { apiCommand, type Json, option } from '../command.ts'
import { note, print, printJson } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

const PARTS = ['group', 'supplier', 'location', 'pattern', 'abc', 'xyz']

/** `restock quality [source]` */
export const qualityCommand = () =>
  apiCommand({
    name: 'quality',
    summary: 'show how good the forecasts of a connected ERP were',
    examples: ['quality', 'quality src_2 --by supplier'],
    args: { '[source]': 'the source, e.g. src_2 (the only one, where there is one)' },
    options: [option('--by <part>', 'the figures of parts of it', PARTS)],
    run: quality,
  })

async function quality({ by, json }: Json & { by?: string }, source?: string): Promise<void> {
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
  if (!by) return print(...summaryOf(id, found))
  const groups = found.groups.filter(({ part }) => part === by)
  print(...linesOf([...NAMES, ...columnsFor(found)], groups))
}

function summaryOf(id: string, found: Quality): string[] {
  const how = found.kind === 'given' ? 'as they were given' : 'of the past, replayed'
  const months = [found.from, found.to].map((month) => month?.slice(0, 7)).join(' to ')
  const lines = [
    `${id}: ${found.cases} forecasts of 28 days, ${how}, ${months}; ${found.pairs} of ${found.series} pairs.`,
    `Bias of P50: ${withError(found.bias, found.bias_error)}`,
    `Loss against repeating the last season: ${withError(found.to_naive, found.to_naive_error)}`,
  ]
  if (found.erp_cases) {
    const biases = `${signed(found.erp_bias)} of the ERP, ${signed(found.bias_beside_erp)} beside it`
    lines.push(
      `Error against the ERP's forecast: ${withError(found.to_erp, found.to_erp_error)}`,
      `  in ${found.erp_cases} periods that both forecast; bias ${biases}`,
    )
  }
  return [...lines, '', 'The worst:', ...linesOf([...PAIRS, ...columnsFor(found)], found.worst)]
}

const signed = (value: number | null) =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${value} %`

const withError = (value: number | null, error: number | null) =>
  error === null ? signed(value) : `${signed(value)} ± ${error}`

type Group = Quality['groups'][number]
type Pair = Quality['worst'][number]

const NAMES: Column<Group>[] = [
  ['Code', ({ code }) => code || '–'],
  ['Name', ({ name }) => name],
  ['Items', ({ pairs }) => pairs, 'right'],
]

const PAIRS: Column<Pair>[] = [
  ['SKU', ({ sku }) => sku],
  ['Location', ({ location }) => location],
  ['Pattern', ({ pattern }) => pattern],
]

/** The figures that groups and pairs have alike. */
function columnsFor({ currency, erp_cases }: Quality): Column<Group | Pair>[] {
  const toErp: Column<Group | Pair> = [
    'Error to ERP',
    (row) => withError(row.to_erp, row.to_erp_error),
    'right',
  ]
  return [
    ['Cases', ({ cases }) => cases, 'right'],
    ['Bias', (row) => withError(row.bias, row.bias_error), 'right'],
    ['Loss to naive', (row) => withError(row.to_naive, row.to_naive_error), 'right'],
    ...(erp_cases ? [toErp] : []),
    ['Units off', ({ error }) => error, 'right'],
    [`Off in ${currency}`, ({ money }) => money, 'right'],
  ]
}
