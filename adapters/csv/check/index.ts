import type { StreamCheck } from '../../adapter.ts'
import { failedCheck } from '../../check.ts'
import type { Drop } from '../file/drop.ts'
import { openFile } from '../file/open-file.ts'
import type { Format } from '../options.ts'
import { toFatal } from '../refusal.ts'
import { findFile } from '../streams.ts'
import { type Table, TABLES } from '../tables.ts'
import { previewOf } from './preview.ts'
import { unknownCodes } from './unknown-codes.ts'
import { type StreamNote, unreadFiles } from './unread-files.ts'

/** Reads the header and the first rows of every file, and tells what an admin should look at. */
export async function checkStreams(
  drop: Drop,
  format: Format,
  signal: AbortSignal,
): Promise<StreamCheck[]> {
  const checks: StreamCheck[] = []
  for (const table of TABLES) {
    const { record } = table
    try {
      checks.push({ record, ...(await checkTable(table, drop, format, signal)) })
    } catch (error) {
      checks.push({ record, ...failedCheck(error) })
    }
  }
  if (checks.every(({ status }) => status === 'failed')) return checks
  const unknown = await unknownCodes(drop, format, checks, signal)
  const unread = await unreadFiles(drop.files, signal)
  for (const { record, note } of [...unread, ...missingFiles(checks, unread), ...unknown]) {
    const check = checks.find((each) => each.record === record)!
    check.notes = [...(check.notes ?? []), note]
  }
  return checks
}

/** @throws Fatal like a read of the stream */
async function checkTable(
  table: Table,
  drop: Drop,
  format: Format,
  signal: AbortSignal,
): Promise<Omit<StreamCheck, 'record'>> {
  const found = await findFile(table, drop, signal)
  if (!found) return { status: 'absent', message: null }
  const file = await found.open()
  try {
    const opened = await openFile(file, table, format, signal)
    try {
      return { status: 'ok', message: null, ...(await previewOf(opened, file.name, table)) }
    } finally {
      await opened.close()
    }
  } catch (error) {
    throw toFatal(error, file.name)
  } finally {
    await file.handle.close()
  }
}

/** What the lack of a file means, by what it would hold. */
const WITHOUT: Partial<Record<StreamNote['record'], string>> = {
  stock:
    'There is no stock.csv: forecasts are made, but every proposal is blocked, because nobody knows what is on hand.',
  planning:
    'There is no planning.csv: forecasts are made, but every proposal is blocked that no rule gives a lead time.',
  openOrders:
    'There is no open_orders.csv: what is on order already is not known, and would be proposed again.',
}

/** What a folder lacks to propose by, but where a file of another name may be it. */
function missingFiles(checks: StreamCheck[], unread: StreamNote[]): StreamNote[] {
  const named = new Set(unread.map(({ record }) => record))
  return Object.entries(WITHOUT).flatMap(([name, note]) => {
    const record = name as StreamNote['record']
    const isAbsent = checks.some((each) => each.record === record && each.status === 'absent')
    return isAbsent && !named.has(record) ? [{ record, note }] : []
  })
}
