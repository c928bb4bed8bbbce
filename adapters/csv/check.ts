import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import type { Folder } from './file/folder.ts'
import { checkTable } from './streams.ts'
import { TABLES } from './tables.ts'

/** Reads the header of every file. */
export async function checkStreams(folder: Folder, signal: AbortSignal): Promise<StreamCheck[]> {
  const checks: StreamCheck[] = []
  for (const table of TABLES) {
    const { record } = table
    try {
      checks.push({ record, status: await checkTable(table, folder, signal), message: null })
    } catch (error) {
      checks.push({ record, ...failedCheck(error) })
    }
  }
  return checks
}
