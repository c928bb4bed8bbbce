// Lists that do not say what was deleted from them: fewer records up to a number than there were say that some were.
import type { ModelReader, ModelRow } from './reader.ts'

/** A list as it stood: its highest number, and how many records have one up to that. */
export interface ListState {
  last: number
  count: number
}

export async function listState(
  reader: ModelReader,
  model: string,
  signal: AbortSignal,
): Promise<ListState> {
  const [newest] = await newestOf(reader, model, signal)
  const last = newest?.id ?? 0
  const count = await reader.count({ model, domain: [['id', '<=', last]] }, signal)
  return { last, count }
}

/** Whether records were deleted since. */
export async function hasLost(
  reader: ModelReader,
  model: string,
  before: ListState,
  signal: AbortSignal,
): Promise<boolean> {
  const count = await reader.count({ model, domain: [['id', '<=', before.last]] }, signal)
  return count < before.count
}

const newestOf = async (reader: ModelReader, model: string, signal: AbortSignal) =>
  (
    await reader.search<ModelRow>(
      { model, domain: [], fields: ['id'], newestFirst: true },
      1,
      signal,
    )
  ).rows
