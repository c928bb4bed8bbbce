import cds from '@sap/cds'
import pRetry, { AbortError } from 'p-retry'
import type { Page, Stream } from '../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../adapters/errors.ts'
import type { RecordOf } from '../../adapters/records.ts'
import { takeNumbers } from '../store/counters.ts'
import { finishDemand, writeDemand } from '../store/demand.ts'
import { discardRead, finishRead, writeRecords } from '../store/records.ts'
import type { Written } from '../store/written.ts'
import { loadCursor, saveCursor } from './cursors.ts'
import { quarantine, releaseQuarantined } from './quarantine.ts'
import type { Run } from './run.ts'

const ATTEMPTS = 4

/** Reads one stream into the store, from its cursor on; repeats what the ERP says may succeed later. */
export async function readStream(run: Run, stream: Stream, signal: AbortSignal) {
  const attempt = async () => {
    const before = run.counts()
    try {
      await readOnce(run, stream, signal)
    } catch (error) {
      run.restoreCounts(before)
      if (!(error instanceof Retriable)) throw new AbortError(error as Error)
      throw error
    }
  }
  await pRetry(attempt, { retries: ATTEMPTS - 1, minTimeout: 500, randomize: true, signal })
}

async function readOnce(run: Run, stream: Stream, signal: AbortSignal) {
  const { record } = stream
  const since = run.mode === 'full' ? null : await loadCursor(run.source, record)
  const read = await cds.tx(() => takeNumbers('read'))
  if (record !== 'demand') await cds.tx(() => discardRead(run.source, record))
  const series = new Map<string, number>()
  let pages = 0
  let clean = true
  let cursor = since
  for await (const page of stream.read(since, signal)) {
    signal.throwIfAborted()
    pages++
    cursor = page.cursor
    clean &&= page.skipped.length === 0
    await commitPage(run, stream, read, page, series)
  }
  if (!pages) return
  await finish(run, stream, read, clean ? cursor : null)
}

async function commitPage(
  run: Run,
  stream: Stream,
  read: number,
  page: Page,
  series: Map<string, number>,
) {
  const { record } = stream
  await cds.tx(async () => {
    let written: Written
    if (record === 'demand') {
      written = await writeDemand(run.source, read, page.records as RecordOf<'demand'>[], series)
    } else {
      written = await writeRecords(run.source, record, read, page.records)
    }
    await quarantine(run.source, run.ID, record, page.skipped)
    if (stream.cursor !== 'snapshot') await saveCursor(run.source, record, page.cursor)
    run.count(record, page, written)
    await run.keep(`reading ${record}`, page.progress)
  })
}

/** A file with bad rows keeps no cursor, so it is read, and its rows are reported, until it is clean. */
async function finish(run: Run, stream: Stream, read: number, cursor: string | null) {
  const { record } = stream
  await cds.tx(async () => {
    if (stream.cursor === 'snapshot') {
      const gone =
        record === 'demand'
          ? await finishDemand(run.source, read, run.guard)
          : await finishRead(run.source, record, read, run.guard)
      run.countDeleted(gone)
    }
    await saveCursor(run.source, record, cursor)
    await releaseQuarantined(run.source, run.ID, record)
    await run.keep(`reading ${record}`)
  })
}

/** A failure as one of the sync's issues. */
export function issueOf(error: unknown, record: string) {
  const cause = error as Error
  if (cause instanceof Fatal) {
    return { code: cause.code, stream: record, key: cause.target ?? null, message: cause.message }
  }
  if (cause instanceof Retriable) {
    return { code: 'source_unavailable', stream: record, key: null, message: cause.message }
  }
  if (cause.name === 'DeletionWithheld') {
    return { code: 'deletions_withheld', stream: record, key: null, message: cause.message }
  }
  return null
}
