import type { Adapter, AuthPlan, Connection } from '../../../adapters/adapter.ts'

/** What an adapter's plan is completed by. */
interface Further {
  /** Where the server ends tokens before their time (RFC 7009), if it does. */
  revocationEndpoint?: string
  /** PEM file of the certification authorities of a private system. */
  caFile?: string | null
}

export type Plan = AuthPlan & Further
export type ConsentPlan = Extract<AuthPlan, { kind: 'authorization_code' }> & Further
export type ClientPlan = Extract<AuthPlan, { kind: 'client_credentials' }> & Further
export type TokenPlan = ConsentPlan | ClientPlan

/** How a source is authorised. @throws Fatal where account or options name no usable address */
export function planOf(adapter: Adapter, connection: Connection): Plan {
  const { ca_file: caFile } = connection.options
  return { ...adapter.auth(connection), caFile: typeof caFile === 'string' ? caFile : null }
}
