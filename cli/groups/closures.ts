// When suppliers do no work and locations receive nothing.
import type { Closure } from '../../client/index.ts'
import { type Body, openClient, type Query } from '../client.ts'
import { callCommand, codes, group, listCommand, PAGING } from '../command.ts'
import { codeFrom, dayReader } from '../offline/cells.ts'
import { BadRow, readTable } from '../offline/table-file.ts'
import { toDate } from '../../engine/index.ts'

type NewClosure = Body<'put', '/closures'>['closures'][number]

/** `restock closures …` */
export const closuresCommand = () =>
  group('closures', 'when suppliers do no work and locations receive nothing', [
    listCommand({
      name: 'list',
      summary: 'list closed days, those of sources and those entered',
      examples: ['closures list', 'closures list --supplier S-7'],
      options: [...codes('supplier', 'location'), ...PAGING],
      call: (query: Query<'/closures'>) => openClient().call('get', '/closures', { query }),
      needs: ['supplier', 'location'],
      none: 'No closed days are known.',
      columns: [
        ['Supplier', (row) => row.supplier],
        ['Location', (row) => row.location],
        ['Closed', closedOf],
        ['Reason', (row) => row.reason],
        ['From', (row) => row.source_id ?? 'entered'],
      ],
    }),
    callCommand({
      name: 'import',
      summary: 'replace all that is entered by the rows of a file',
      examples: ['closures import closures.csv'],
      args: {
        '<file>':
          'csv or xlsx: from, and supplier or location, to, working_days, country, region, reason',
      },
      call: async (_options, file) =>
        openClient().call('put', '/closures', { body: { closures: await readClosures(file) } }),
      needs: ['entered'],
      tell: ({ entered }) => `${entered} rows are entered. Proposals are made anew.`,
    }),
  ])

function closedOf({ from, to, working_days: working, country, region }: Closure): string {
  const days = from ? (to && to !== from ? `${from} to ${to}` : `${from}${to ? '' : ' on'}`) : ''
  if (country) return `holidays of ${[country, region].filter(Boolean).join('-')} ${days}`.trim()
  if (working) return `all but weekdays ${working.join(', ')} ${days}`.trim()
  return days
}

const COLUMNS = {
  required: ['from'],
  optional: ['supplier', 'location', 'to', 'working_days', 'country', 'region', 'reason'],
}
const KINDS = new Map([
  ['from', 'date'],
  ['to', 'date'],
] as const)

/** @throws HistoryError `line N: …` at the first invalid row */
async function readClosures(path: string): Promise<NewClosure[]> {
  const found: NewClosure[] = []
  await readTable(path, { columns: COLUMNS, kinds: KINDS, declared: {} }, (columns, formats) => {
    const [firstOf, lastOf] = [dayReader(formats, 'from'), dayReader(formats, 'to')]
    return (cells) => {
      const cell = (name: string) => (cells[columns.get(name) ?? -1] ?? '').trim()
      const [from, to, working] = [cell('from'), cell('to'), cell('working_days')]
      found.push({
        supplier: codeFrom('supplier', cell('supplier')) || null,
        location: codeFrom('location', cell('location')) || null,
        from: from ? toDate(firstOf(from)) : null,
        to: to ? toDate(lastOf(to)) : null,
        working_days: working ? weekdaysOf(working) : null,
        country: cell('country') || null,
        region: cell('region') || null,
        reason: cell('reason') || null,
      })
    }
  })
  return found
}

function weekdaysOf(text: string): number[] {
  const spans = text.split(/[,;/]/).map((span) => span.trim())
  if (!spans.every((span) => /^[1-7](-[1-7])?$/.test(span)))
    throw new BadRow(`working_days ${JSON.stringify(text)}: weekdays of 1 to 7, as 1-5 or 1,2,4`)
  return [1, 2, 3, 4, 5, 6, 7].filter((day) =>
    spans.some((span) => Number(span[0]) <= day && day <= Number(span.at(-1))),
  )
}
