import type { Adapter, AuthPlan, Connection } from '../../../adapters/adapter.ts'

/** Additions to the plan of an adapter. */
interface ConnectionSettings {
  /** Revocation endpoint (RFC 7009), if the server has one. */
  revocationEndpoint?: string
  /** PEM file of the certification authorities of a private system. */
  caFile?: string | null
}

export type Plan = AuthPlan & ConnectionSettings
export type ConsentPlan = Extract<AuthPlan, { kind: 'authorization_code' }> & ConnectionSettings
export type ClientPlan = Extract<AuthPlan, { kind: 'client_credentials' }> & ConnectionSettings
export type TokenPlan = ConsentPlan | ClientPlan

/** How a source is authorized. @throws Fatal where account or options contain no usable address */
export function planOf(adapter: Adapter, connection: Connection): Plan {
  const { ca_file: caFile } = connection.options
  return { ...adapter.auth(connection), caFile: typeof caFile === 'string' ? caFile : null }
}
