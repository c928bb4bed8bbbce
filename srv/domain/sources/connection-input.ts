import type { Adapter, Connection } from '../../../adapters/adapter.ts'
import { type Field, fieldsOf } from '../../../adapters/fields.ts'
import { ADAPTER_TYPES, adapterOf } from '../../../adapters/index.ts'
import { textsOf } from '../../../adapters/texts.ts'
import { Refusal } from '../../base/errors.ts'
import { codeNames } from '../../base/texts/texts.ts'
import { findDestination } from './oauth/destination.ts'

/** A kind of ERP, and what it is asked for when it is connected. */
export interface SourceType {
  type: string
  name: string
  fields: Field[]
}

/** Every kind of ERP with its fields, in this language. */
export async function listTypes(language: string): Promise<SourceType[]> {
  const nameOf = await codeNames('SourceTypes', language)
  return ADAPTER_TYPES.map((type) => ({
    type,
    name: nameOf(type) ?? type,
    fields: [...fieldsOf(adapterOf(type)!, language), ...destinationOf(type, language)],
  }))
}

/** The adapter of a kind of ERP. @throws Refusal invalid_parameter */
export function knownAdapter(type: string) {
  const adapter = adapterOf(type)
  if (adapter) return adapter
  throw new Refusal('invalid_parameter', `type must be one of ${ADAPTER_TYPES.join(', ')}.`, {
    target: 'type',
  })
}

/** The field for a BTP destination, which provides address and credentials; absent for ERPs that need no credentials. */
function destinationOf(type: string, language: string): Field[] {
  const { fields } = adapterOf(type)!
  if (fields && !fields.clientId) return []
  const texts = textsOf(type, language)
  return [
    {
      name: 'destination',
      isOption: true,
      isRequired: false,
      isMain: false,
      kind: 'text',
      label: texts.destination!,
      hint: texts.destination_hint ?? null,
      values: [],
      least: null,
      most: null,
      preset: null,
    },
  ]
}

export interface NewSource {
  type: string
  account: string
  role: string
  baseUrl?: string | null
  clientId?: string | null
  clientSecret?: string | null
  options?: Connection['options'] | null
}

/** A connection as an admin entered it. */
export interface ConnectionInput {
  connection: Connection
  /** Name of the BTP destination with the credentials: an option of the service, unknown to adapters. */
  destination: string | null
}

/** @throws Refusal `invalid_parameter` for an unknown or malformed option; Fatal; Retriable */
export async function readConnectionInput(
  adapter: Adapter,
  newSource: NewSource,
): Promise<ConnectionInput> {
  assertGiven(adapter, newSource)
  const { account, role, baseUrl = null } = newSource
  const { destination, ...options } = newSource.options ?? {}
  if (destination === undefined || needsNoCredentials(adapter, newSource)) {
    const all = parseOptions(adapter, newSource.options ?? {})
    return { connection: { account, role, baseUrl, options: all }, destination: null }
  }
  if (typeof destination !== 'string' || !/^[\w.-]{1,200}$/.test(destination)) {
    throw invalid('destination', 'must be the name of a destination')
  }
  const connection: Connection = { account, role, baseUrl, options: parseOptions(adapter, options) }
  if (!baseUrl) connection.baseUrl = (await findDestination(destination)).url
  return { connection, destination }
}

/** Checks that all required fields are given. @throws Refusal invalid_parameter */
function assertGiven({ fields }: Adapter, { role, baseUrl, ...given }: NewSource) {
  const isByDestination = given.options?.destination !== undefined
  const { clientId, clientSecret } = given
  const values = { role, baseUrl, ...(!isByDestination && { clientId, clientSecret }) }
  for (const [name, value] of Object.entries(values)) {
    if (value || fields?.[name as keyof typeof values] !== 'required') continue
    const target = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    throw new Refusal('invalid_parameter', `${target} is needed for this kind of source.`, {
      target,
    })
  }
}

/** Whether the adapter needs no credentials; `destination` is then an ordinary option of it. */
function needsNoCredentials(
  adapter: Adapter,
  { account, role, baseUrl = null }: NewSource,
): boolean {
  try {
    const connection = { account, role, baseUrl, options: parseOptions(adapter, {}) }
    return adapter.auth(connection).kind === 'none'
  } catch {
    return false
  }
}

/** @throws Refusal invalid_parameter */
export function parseOptions(adapter: Adapter, options: Connection['options']) {
  const parsed = adapter.options.strict().safeParse(options)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue!.code === 'unrecognized_keys' ? issue.keys[0] : issue!.path.join('.')
  throw invalid(field!, issue!.message)
}

const invalid = (field: string, message: string) =>
  new Refusal('invalid_parameter', `options.${field}: ${message}`, { target: `options.${field}` })
