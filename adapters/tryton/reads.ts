import type { TrytonClient } from './client.ts'
import type { TrytonOptions } from './options.ts'

/** What reading places and quantities needs of a company. */
export interface Reads {
  readonly client: TrytonClient
  readonly options: TrytonOptions
  company(signal: AbortSignal): Promise<number>
}
