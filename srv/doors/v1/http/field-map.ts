// A resource of /v1 as one table: its fields, the schema of each, and the element that it shows.
import { z } from 'zod'
import { type ErrorCode, Refusal } from '../../../base/errors.ts'
import { toCamel } from '../../../base/texts/case.ts'
import type { Named } from './endpoint.ts'

/** `on_hand` as the model spells it: `onHand`. */
type Camel<Name> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name

type Show<Row, Name extends keyof Row> = (value: Row[Name], row: Row) => unknown

interface Field<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  read: (row: never) => unknown
}

/** A field that is a schema alone shows the element of its own name. */
type Fields = Record<string, Field | z.ZodType>
type SchemaOf<F> = F extends Field<infer Schema> ? Schema : F
type Shape<F extends Fields> = { [Name in keyof F]: SchemaOf<F[Name]> & z.ZodType }
/** Refuses a schema whose element `Row` does not have. */
type Known<Row, F extends Fields> = {
  [Name in keyof F]: F[Name] extends Field
    ? F[Name]
    : Camel<Name> extends keyof Row
      ? F[Name]
      : never
}

/** Fields that show an element of `Row` by another name, or otherwise than it is stored. */
export function fieldsOf<Row extends object>() {
  return <Name extends keyof Row, Schema extends z.ZodType>(
    name: Name,
    schema: Schema,
    show?: Show<Row, Name>,
  ): Field<Schema> => ({
    schema,
    read: (row: Row) => (show ? show(row[name], row) : (row[name] ?? null)),
  })
}

const fieldOf = (name: string, field: Field | z.ZodType): Field =>
  field instanceof z.ZodType ? fieldsOf<{ [name: string]: unknown }>()(toCamel(name), field) : field

/**
 * The schema of a resource, and what makes it of a row. An element that is missing has a field only where
 * its schema is not optional.
 */
export const fieldMap =
  <Row extends object>() =>
  <F extends Fields>(id: string, fields: F & Known<Row, F>) => {
    const entries = Object.entries<Field | z.ZodType>(fields).map(([name, field]) => {
      const { schema, read } = fieldOf(name, field)
      const isOptional = schema instanceof z.ZodOptional
      return { name, schema, read: read as (row: Row) => unknown, isOptional }
    })
    const shape = Object.fromEntries(entries.map(({ name, schema }) => [name, schema])) as Shape<F>
    const schema = z.object(shape).meta({ id })
    const toAnswer = (row: Row): z.infer<typeof schema> => {
      const answer: { [name: string]: unknown } = {}
      for (const { name, read, isOptional } of entries) {
        const value = read(row)
        if (!isOptional || value != null) answer[name] = value
      }
      return answer as z.infer<typeof schema>
    }
    return [schema, toAnswer] as const
  }

/** What a caller gave of these fields, as the elements of the model; null for what is absent. */
export const toElements = <Input extends object>(fields: object, input: Input) =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [toCamel(name), input[name as keyof Input] ?? null]),
  ) as { [Name in keyof Input as Camel<Name>]-?: Exclude<Input[Name], undefined> | null }

const LARGEST = 2_147_483_647

const KINDS = {
  prop: { code: 'proposal_not_found', noun: 'proposal' },
  ho: { code: 'not_found', noun: 'hand-over' },
  exc: { code: 'not_found', noun: 'exception' },
  src: { code: 'source_not_found', noun: 'source' },
  sync: { code: 'not_found', noun: 'sync' },
  wh: { code: 'not_found', noun: 'webhook' },
  ovr: { code: 'not_found', noun: 'forecast override' },
  plan: { code: 'not_found', noun: 'event in the calendar' },
} as const satisfies Record<string, { code: ErrorCode; noun: string }>

type IdKind = keyof typeof KINDS

/** `prop_1042` from 1042. */
export const toId = (kind: IdKind, ID: number) => `${kind}_${ID}`

/**
 * 1042 from `prop_1042`.
 * @throws Refusal 404 of the kind: an id that cannot exist is one that does not
 */
export function fromId(kind: IdKind, id: string | undefined): number {
  const ID = Number(new RegExp(`^${kind}_([1-9]\\d{0,9})$`).exec(id ?? '')?.[1])
  if (ID <= LARGEST) return ID
  throw new Refusal(KINDS[kind].code, `There is no such ${KINDS[kind].noun}.`)
}

/** What a path names by an id of a kind. */
export const named = <Found>(kind: IdKind, find: (ID: number) => Promise<Found>): Named<Found> => ({
  error: KINDS[kind].code,
  find: async ({ id }) => find(fromId(kind, id)),
})
