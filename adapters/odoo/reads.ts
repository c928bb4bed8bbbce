import type { OdooClient } from './client.ts'

/** What reading places, units and quantities needs of a company. */
export interface Reads {
  readonly client: OdooClient
  company(signal: AbortSignal): Promise<number>
}
