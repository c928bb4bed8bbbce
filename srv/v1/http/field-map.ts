// A resource of /v1 as one table: its fields, the element that each one shows, and its schema.
import { z } from 'zod'

type Show<Row, Name extends keyof Row> = (value: Row[Name], row: Row) => unknown

export interface Field<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  read: (row: never) => unknown
}

type Fields = Record<string, Field>
type Shape<F extends Fields> = { [Name in keyof F]: F[Name]['schema'] }

/** Fields that show elements of `Row`; `show` tells one otherwise than it is stored. */
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

/** An element that is missing has a field only where its schema is not optional. */
export const fieldMap =
  <Row extends object>() =>
  <F extends Fields>(fields: F) => {
    type Answer = z.infer<z.ZodObject<Shape<F>>>
    const entries = Object.entries(fields).map(([name, { schema, read }]) => ({
      name,
      read: read as (row: Row) => unknown,
      isOptional: schema instanceof z.ZodOptional,
    }))
    const shape = Object.fromEntries(
      Object.entries(fields).map(([name, { schema }]) => [name, schema]),
    ) as Shape<F>
    const toAnswer = (row: Row): Answer => {
      const answer: { [name: string]: unknown } = {}
      for (const { name, read, isOptional } of entries) {
        const value = read(row)
        if (!isOptional || value != null) answer[name] = value
      }
      return answer as Answer
    }
    return { shape, toAnswer }
  }
