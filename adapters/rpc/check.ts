import type { Stream, StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import type { RecordKind } from '../records.ts'
import type { ModelReader } from './reader.ts'

/** The models that each kind of record needs. */
export type Models = Partial<Record<RecordKind, readonly string[]>>

const rightOf = (model: string) => `Read ${model}`

export const rightsOf = (models: Models, ...others: string[]): string[] => [
  ...new Set([...others, ...Object.values(models).flat()].map(rightOf)),
]

/** Asks for one record of each model that a stream needs. On failure the right of that model alone is named. */
export async function checkModels(
  reader: ModelReader,
  streams: readonly Stream[],
  models: Models,
  signal: AbortSignal,
): Promise<StreamCheck[]> {
  const checks: StreamCheck[] = []
  for (const { record } of streams) {
    const needed = models[record] ?? []
    let rights = needed.map(rightOf)
    try {
      for (const model of needed) {
        rights = [rightOf(model)]
        await reader.search({ model, domain: [], fields: ['id'] }, 1, signal)
      }
      checks.push({ record, status: 'ok', message: null, rights: needed.map(rightOf) })
    } catch (error) {
      checks.push({ record, ...failedCheck(error), rights })
    }
  }
  return checks
}
