import type { DataOf } from '../../client/index.ts'
import { openClient } from '../client.ts'
import { callCommand } from '../command.ts'
import { Failure } from '../errors.ts'
import { type Column, linesOf } from '../table.ts'

type SourceType = DataOf<'get', '/source-types'>['data'][number]
type Field = SourceType['fields'][number]

/** `restock sources types [type]` */
export const typesCommand = () =>
  callCommand({
    name: 'types',
    summary: 'list the kinds of ERP, or the fields and options of one',
    examples: ['sources types', 'sources types s4hana'],
    args: { '[type]': 'kind of ERP, such as csv or s4hana' },
    call: () => openClient().call('get', '/source-types', {}),
    needs: ['data'],
    tell({ data }, _options, type?: string) {
      if (type === undefined) return linesOf(TYPES, data)
      const found = data.find((each) => each.type === type)
      if (found)
        return [
          `${found.name}: restock connect --source ${type}`,
          '',
          ...linesOf(FIELDS, found.fields),
        ]
      const known = data.map((each) => each.type).join(', ')
      throw new Failure(`There is no kind of ERP ${type}, but ${known}.`)
    },
  })

const TYPES: Column<SourceType>[] = [
  ['Type', ({ type }) => type],
  ['ERP', ({ name }) => name],
  [
    'Needed',
    ({ fields }) =>
      fields
        .filter((each) => each.is_required)
        .map(flagOf)
        .join(' '),
  ],
]

const FIELDS: Column<Field>[] = [
  ['Setting', flagOf],
  ['Meaning', ({ label, hint }) => (hint ? `${label}: ${hint}` : label)],
  ['Allowed', allowed],
  ['Unless given', ({ preset }) => preset],
]

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
