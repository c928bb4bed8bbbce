import type { Stream, StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import { Fatal } from '../errors.ts'
import type { RecordKind } from '../records.ts'
import { Once } from '../rows/memoize.ts'
import type { ModelReader } from './reader.ts'

/** The models that each kind of record needs, those too of which it reads fields of linked records. */
export type Models = Partial<Record<RecordKind, readonly string[]>>

const rightOf = (model: string) => `Read ${model}`

export const rightsOf = (models: Models, ...others: string[]): string[] => [
  ...new Set([...others, ...Object.values(models).flat()].map(rightOf)),
]

/**
 * Asks for one record of each model that a stream needs. On failure the right of that model alone is named.
 * @param ofModules models that are needed where their module is there
 */
export async function checkModels(
  reader: ModelReader,
  streams: readonly Stream[],
  models: Models,
  signal: AbortSignal,
  ofModules: Models = {},
): Promise<StreamCheck[]> {
  const once = new Once()
  const probe = (model: string) =>
    once.get(model, () => reader.search({ model, domain: [], fields: ['id'] }, 1, signal))
  const probeOfModule = (model: string) =>
    probe(model).catch((error: unknown) => {
      if (!(error instanceof Fatal) || error.code !== 'not_found') throw error
    })
  const checks: StreamCheck[] = []
  for (const { record } of streams) {
    const needed = models[record] ?? []
    let rights = needed.map(rightOf)
    try {
      for (const model of needed) {
        rights = [rightOf(model)]
        await probe(model)
      }
      for (const model of ofModules[record] ?? []) {
        rights = [rightOf(model)]
        await probeOfModule(model)
      }
      checks.push({ record, status: 'ok', message: null, rights: needed.map(rightOf) })
    } catch (error) {
      checks.push({ record, ...failedCheck(error), rights })
    }
  }
  return checks
}
