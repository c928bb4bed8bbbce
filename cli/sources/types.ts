import { Failure } from '../errors.ts'
import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { DataOf } from '../../client/index.ts'

type SourceType = DataOf<'get', '/source-types'>['data'][number]
type Field = SourceType['fields'][number]

/** `restock sources types [type]` */
export function typesCommand(): Command {
  return apiCommand('types', 'list the kinds of ERP, or the fields and options of one', [
    'sources types',
    'sources types s4hana',
  ])
    .argument('[type]', 'kind of ERP, such as csv or s4hana')
    .action(showTypes)
}

async function showTypes(type: string | undefined, options: { json?: true }): Promise<void> {
  const answer = await openClient().call('get', '/source-types', {})
  if (options.json) return printJson(answer)
  const { data } = dataOf(answer, ['data'])
  if (type === undefined) return printTypes(data)
  const found = data.find((each) => each.type === type)
  if (found) return printFields(found)
  const known = data.map((each) => each.type).join(', ')
  throw new Failure(`There is no kind of ERP ${toSafeText(type)}, but ${toSafeText(known)}.`)
}

const printTypes = (types: SourceType[]) =>
  print(
    tableOf<SourceType>(
      [
        { head: 'Type', value: ({ type }) => type },
        { head: 'ERP', value: ({ name }) => name },
        { head: 'Needed', value: (row) => row.fields.filter(isNeeded).map(flagOf).join(' ') },
      ],
      types,
    ),
  )

const isNeeded = ({ is_required: isRequired }: Field) => isRequired

function printFields({ type, name, fields }: SourceType): void {
  print(toSafeText(`${name}: restock connect --source ${type}`))
  print('')
  print(
    tableOf<Field>(
      [
        { head: 'Setting', value: flagOf },
        { head: 'Meaning', value: ({ label, hint }) => (hint ? `${label}: ${hint}` : label) },
        { head: 'Allowed', value: allowed },
        { head: 'Unless given', value: ({ preset }) => preset },
      ],
      fields,
    ),
  )
}

/** As it is given to `connect`; a secret is never an argument. */
function flagOf({ name, is_option: isOption, kind }: Field): string {
  if (kind === 'secret') return 'RESTOCK_CLIENT_SECRET'
  return isOption ? `--option ${name}=` : `--${name.replaceAll('_', '-')}`
}

function allowed({ kind, values, least, most, is_required: isRequired }: Field): string {
  if (kind === 'choice') return values.map(({ value }) => value).join(', ')
  if (kind === 'flag') return 'true, false'
  if (kind === 'number') return `${least ?? ''}..${most ?? ''}`
  return isRequired ? 'needed' : ''
}
