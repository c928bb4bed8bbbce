import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type HandOver, RestockError } from '../../client/index.ts'
import { type Body, dataOf, openClient } from '../client.ts'
import { apiCommand, codes, type Json, option } from '../command.ts'
import { Failure } from '../errors.ts'
import { count, note, print, printJson } from '../output.ts'

type Wish = Body<'post', '/handovers'>

interface Options extends Json {
  out?: string
  supplier?: string
  location?: string
  source?: string
  perSupplier?: true
  form?: string
  format?: Wish['format']
  dateFormat?: Wish['date_format']
  again?: true
  new?: true
}

/** `restock proposals hand-over` */
export const handOverCommand = () =>
  apiCommand({
    name: 'hand-over',
    summary: "take approved proposals as a file of the ERP's own import; it leaves a mark",
    examples: [
      'proposals hand-over --out orders.csv',
      'proposals hand-over --new --per-supplier --out orders/',
      'proposals hand-over prop_1042 prop_1043 --format xlsx --out orders.xlsx',
      'proposals hand-over --source src_2 --form netsuite --date-format DD/MM/YYYY',
    ],
    args: { '[ids...]': 'these alone; all approved ones unless given' },
    options: [
      option('--out <file>', 'write to this file, or into this folder (default: this folder)'),
      ...codes('supplier', 'location'),
      option('--source <id>', 'those of one ERP connection, e.g. src_1'),
      option('--per-supplier', 'a file for each supplier'),
      option('--form <type>', "the kind of ERP (default: the connection's)"),
      option('--format <format>', 'default: the usual one of the form', [
        ...['csv', 'xlsx', 'zip', 'rapidstart'],
      ]),
      option('--date-format <format>', 'of days in a csv file, as the ERP expects them', [
        ...['YYYY-MM-DD', 'YYYYMMDD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY'],
      ]),
      option('--again', 'take lines again that were handed over before'),
      option('--new', 'leave out lines that were handed over before'),
    ],
    run: (options: Options, ...ids) => handOver(options, ids),
  })

async function handOver({ json, out, again, new: isNew, ...wish }: Options, ids: string[]) {
  const { perSupplier, dateFormat, source, ...same } = wish
  const body = {
    ...same,
    ...(ids.length && { proposal_ids: ids }),
    ...(source && { source_id: source }),
    ...(perSupplier && { per_supplier: true }),
    ...(dateFormat && { date_format: dateFormat }),
    ...(again && { taken_before: 'again' }),
    ...(isNew && { taken_before: 'leave_out' }),
  } as Wish
  const client = openClient()
  const answer = await client.call('post', '/handovers', { body }).catch(explainTwice)
  const { data } = dataOf(answer, ['data'])
  if (!data.length) note('There is nothing to hand over.')
  const several = data.length > 1 || Boolean(perSupplier)
  for (const taken of data) {
    const { bytes } = await client.call('get', '/handovers/{id}/file', { path: { id: taken.id } })
    const file = placeOf(taken, out, several)
    write(file, bytes)
    const lines = count(taken.line_count, 'line')
    const twice = taken.repeated ? `, ${taken.repeated} of them not for the first time` : ''
    const told = `${taken.id}: ${lines}${twice}, written to ${file}.`
    if (json) note(told)
    else print(told)
  }
  if (json) printJson(answer)
}

/** What was handed over before is named, with what to do. */
function explainTwice(error: unknown): never {
  if (!(error instanceof RestockError) || error.code !== 'already_handed_over') throw error
  const named = error.details.slice(0, 5).map(({ message }) => `  ${message}`)
  const rest = error.details.length - named.length
  for (const line of named) note(line)
  if (rest > 0) note(`  and ${rest} more`)
  throw new Failure(
    'Some lines were handed over before: --new leaves them out, --again takes them again.',
  )
}

function placeOf(
  { file_name: name, supplier }: HandOver,
  out: string | undefined,
  several: boolean,
) {
  if (out === undefined) return name
  if (!several && !out.endsWith('/') && !isFolder(out)) return out
  const safe = (supplier ?? '').replaceAll(/[^\w.-]+/g, '_')
  return path.join(out, several && safe ? `${safe}-${name}` : name)
}

const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false

function write(file: string, bytes: Uint8Array): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(
      `The file cannot be written: ${reason}. It was taken: GET /v1/handovers gives it again.`,
    )
  }
}
