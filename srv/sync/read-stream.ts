import cds from '@sap/cds'
import pRetry, { AbortError } from 'p-retry'
import type { Page, Stream } from '../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../adapters/errors.ts'
import type { RecordOf } from '../../adapters/records.ts'
import { beginDemand, type DemandRead, finishDemand, writeDemand } from '../store/demand.ts'
import { discardRead, finishRead, writeRecords } from '../store/records.ts'
import { saveState } from './cursors.ts'
import { groupPages, oneAhead } from './pages.ts'
import { quarantine, releaseQuarantined } from './quarantine.ts'
import { beginReading, type Reading } from './reading.ts'
import type { Run } from './run.ts'

const ATTEMPTS = 4

/** Reads one stream into the store, from its cursor on; repeats what the ERP says may succeed later. */
export async function readStream(run: Run, stream: Stream, signal: AbortSignal) {
  const attempt = async () => {
    try {
      await readOnce(run, stream, signal)
    } catch (error) {
      if (!(error instanceof Retriable)) throw new AbortError(error as Error)
      if (stream.cursor === 'snapshot') run.forget(stream.record)
      throw error
    }
  }
  await pRetry(attempt, { retries: ATTEMPTS - 1, minTimeout: 500, randomize: true, signal })
}

async function readOnce(run: Run, stream: Stream, signal: AbortSignal) {
  const { record } = stream
  const reading = await beginReading(run, stream)
  const { read, whole } = reading
  const target = record === 'demand' ? await beginDemand(run.source, read, whole) : null
  if (record !== 'demand') await cds.tx(() => discardRead(run.source, record))
  let isClean = true
  let isEmpty = true
  const pages = stream.read(reading.cursor, signal)
  for await (const page of oneAhead(target ? groupPages(pages) : pages)) {
    signal.throwIfAborted()
    isEmpty = false
    isClean &&= page.skipped.length === 0
    reading.cursor = page.cursor
    await commitPage(run, stream, reading, target, page)
  }
  const isUnchanged = isEmpty && stream.cursor === 'snapshot'
  if (!isUnchanged) await finish(run, stream, reading, target, isClean)
}

async function commitPage(
  run: Run,
  { record, cursor }: Stream,
  reading: Reading,
  target: DemandRead | null,
  page: Page,
) {
  await cds.tx(async () => {
    await run.takeTurn()
    const written = target
      ? await writeDemand(
          target,
          page.records as RecordOf<'demand'>[],
          page.deleted?.map(({ document }) => document!),
        )
      : await writeRecords(run.source, record as 'stock', reading.read, page)
    await quarantine(run.source, run.ID, record, page.skipped)
    if (cursor !== 'snapshot') await saveState(run.source, record, reading)
    run.count(record, page, written)
    await run.keep('reading', page.progress, record)
  })
}

/** A snapshot with bad rows keeps no cursor, so it is read, and its rows are reported, until it is clean. */
async function finish(
  run: Run,
  { record, cursor }: Stream,
  { whole, ...reading }: Reading,
  target: DemandRead | null,
  isClean: boolean,
) {
  await cds.tx(async () => {
    await run.takeTurn()
    let deleted = 0
    if (target) deleted = await finishDemand(target, run.guard)
    else if (whole)
      deleted = await finishRead(run.source, record as 'stock', reading.read, run.guard)
    run.count(record, null, { upserted: 0, unchanged: 0, deleted })
    const keepsCursor = isClean || cursor !== 'snapshot'
    const state = { cursor: keepsCursor ? reading.cursor : null, read: null, whole: false }
    await saveState(run.source, record, state)
    if (whole) await releaseQuarantined(run.source, run.ID, record)
    await run.keep('reading')
  })
}

/** A failure as one of the sync's issues; null for one that nobody expected. */
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
