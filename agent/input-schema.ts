// What a tool takes, as /v1 itself says it: its OpenAPI document is made from the schemas that validate the calls.
import type { Tool } from './tools.ts'

export type Json = Record<string, unknown>

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[]
  requestBody?: {
    content: {
      'application/json': { schema: { properties?: Record<string, object>; required?: string[] } }
    }
  }
}

/** The part of an OpenAPI document that is read. */
export interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, Operation> | undefined>
}

export interface InputSchema extends Json {
  type: 'object'
  properties: Record<string, object>
  required: string[]
  additionalProperties: false
}

/** What ids in paths look like: nothing else may become part of an address. */
export const PROPOSAL_ID = '^prop_[1-9][0-9]{0,9}$'

/** @returns null where this service does not have the operation */
export function inputSchemaOf({ method, path }: Tool, { paths }: OpenApi): InputSchema | null {
  const operation = paths[path]?.[method]
  if (!operation) return null
  const given = (operation.parameters ?? []).filter((each) => each.in !== 'header')
  const body = operation.requestBody?.content['application/json'].schema
  const ofParameters = given.map(({ name, in: place, schema }): [string, object] => [
    name,
    place === 'path'
      ? { type: 'string', pattern: PROPOSAL_ID, description: 'E.g. prop_1042.' }
      : schema,
  ])
  return {
    type: 'object',
    properties: { ...Object.fromEntries(ofParameters), ...body?.properties },
    required: [
      ...given.filter(({ required }) => required).map(({ name }) => name),
      ...(body?.required ?? []),
    ],
    additionalProperties: false,
  }
}
