// What a kind of ERP is asked for, field by field: from its description and from the schema of its options.
import { z } from 'zod'
import type { Adapter, ConnectionFields, Need } from './adapter.ts'
import { textsOf } from './texts.ts'

export interface Field {
  /** `account`, `role`, `baseUrl`, `clientId`, `clientSecret`, or the name of an option. */
  name: string
  isOption: boolean
  isRequired: boolean
  /** Asked for at once; the others are further settings. */
  isMain: boolean
  kind: 'text' | 'secret' | 'number' | 'choice' | 'flag'
  label: string
  hint: string | null
  /** Of a choice. */
  values: { value: string; name: string }[]
  least: number | null
  most: number | null
  /** What counts where nothing is given. */
  preset: string | null
}

type Named = Exclude<keyof ConnectionFields, 'options' | 'further'>

const NAMED: readonly Named[] = ['role', 'baseUrl', 'clientId', 'clientSecret']
const ALL_OPTIONAL: ConnectionFields = {
  role: 'optional',
  baseUrl: 'optional',
  clientId: 'optional',
  clientSecret: 'optional',
}

type Shape = Pick<Field, 'kind' | 'least' | 'most' | 'preset'> & { values: string[] }

const PLAIN: Shape = { kind: 'text', least: null, most: null, preset: null, values: [] }

/** @param language of labels, hints and values; English where there are no texts in it */
export function fieldsOf(adapter: Adapter, language: string): Field[] {
  const texts = textsOf(adapter.type, language)
  const asked = adapter.fields ?? ALL_OPTIONAL
  const field = (name: string, need: Need, shape: Shape, place: Partial<Field>): Field => ({
    ...{ name, isOption: false, isMain: true, ...shape, ...place },
    isRequired: need === 'required',
    label: texts[name] ?? name,
    hint: texts[`${name}_hint`] ?? null,
    values: shape.values.map((value) => ({ value, name: texts[`${name}=${value}`] ?? value })),
  })
  const named = NAMED.flatMap((name) => {
    const kind = name === 'clientSecret' ? 'secret' : 'text'
    const isMain = !asked.further?.some((each) => each === name)
    return asked[name] ? [field(name, asked[name], { ...PLAIN, kind }, { isMain })] : []
  })
  const main = asked.options ?? []
  const rest = Object.keys(adapter.options.shape).filter((name) => !main.includes(name))
  const options = [...main, ...rest].map((name) =>
    field(name, isRequired(adapter, name) ? 'required' : 'optional', shapeOf(adapter, name), {
      isOption: true,
      isMain: main.includes(name) || isRequired(adapter, name),
    }),
  )
  return [field('account', 'required', PLAIN, {}), ...named, ...options]
}

const isRequired = ({ options }: Adapter, name: string) =>
  !typeOf(options, name).safeParse(undefined).success

const typeOf = (options: Adapter['options'], name: string) => options.shape[name] as z.ZodType

interface JsonType {
  type?: string
  enum?: string[]
  anyOf?: JsonType[]
  minimum?: number
  maximum?: number
}

function shapeOf({ options }: Adapter, name: string): Shape {
  const type = typeOf(options, name)
  const { preset, json } = { preset: presetOf(type), json: jsonOf(type) }
  if (json.anyOf?.some((each) => each.type === 'boolean')) return { ...PLAIN, kind: 'flag', preset }
  if (json.enum) return { ...PLAIN, kind: 'choice', values: json.enum, preset }
  if (json.type !== 'integer' && json.type !== 'number') return { ...PLAIN, preset }
  const { minimum = null, maximum = null } = json
  return { ...PLAIN, kind: 'number', least: minimum, most: maximum, preset }
}

const jsonOf = (type: z.ZodType) =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonType

/** The value that the schema takes where nothing is given. */
function presetOf(type: z.ZodType): string | null {
  const { data } = type.safeParse(undefined)
  return data === undefined || data === null ? null : String(data)
}
