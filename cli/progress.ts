import cliProgress from 'cli-progress'
import { toSafeText } from './output.ts'
import type { Sync } from '../client/index.ts'

export interface Progress {
  show(run: Sync): void
  stop(): void
}

const BAR_WIDTH = 24
const LINE_EVERY_MS = 5000

/** A live bar on a terminal, an occasional line elsewhere. */
export function progressOf(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? createBar(stream) : createLines(stream)
}

function createBar(stream: NodeJS.WriteStream): Progress {
  const rate = createRateMeter()
  const bar = new cliProgress.SingleBar({
    stream,
    format: (_options, params, { text }: { text: string }) => barText(params, text),
    clearOnComplete: true,
    hideCursor: true,
    linewrap: false,
    gracefulExit: false,
  })
  let isStarted = false
  return {
    show(run) {
      const { done, total } = run.progress
      const payload = { text: describeProgress(run, rate(run)) }
      if (!isStarted) bar.start(total ?? 0, done, payload)
      isStarted = true
      bar.setTotal(total ?? 0)
      bar.update(done, payload)
    },
    stop() {
      bar.stop()
    },
  }
}

function barText({ value, total }: { value: number; total: number }, text: string): string {
  if (total <= 0) return text
  const share = Math.min(1, value / total)
  const full = Math.round(share * BAR_WIDTH)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${percent} % ${text}`
}

function createLines(stream: NodeJS.WriteStream): Progress {
  const rate = createRateMeter()
  let phase: string | null | undefined
  let written = 0
  return {
    show(run) {
      const speed = rate(run)
      const now = Date.now()
      if (run.phase === phase && now - written < LINE_EVERY_MS) return
      phase = run.phase
      written = now
      stream.write(`${describeProgress(run, speed)}\n`)
    },
    stop() {},
  }
}

/** Phase, rows, rate and time left, where known. */
function describeProgress(run: Sync, rate: Rate): string {
  const { done, total, unit } = run.progress
  const rows = run.counts?.read ?? 0
  const parts = [run.phase ?? run.status]
  if (unit === 'bytes') {
    parts.push(`${megabytes(done)}${total ? `/${megabytes(total)}` : ''} MB`)
    if (rows > 0) parts.push(`${rows} rows`)
    if (rate.rows !== null) parts.push(`${Math.round(rate.rows)} rows/s`)
  } else if (done > 0 || total) {
    const noun = unit ?? 'rows'
    parts.push(`${done}${total ? `/${total}` : ''} ${noun}`)
    if (rate.done !== null) parts.push(`${Math.round(rate.done)} ${noun}/s`)
  }
  const left = describeTimeLeft(run, rate)
  if (left !== null) parts.push(left)
  return toSafeText(parts.join(' · '))
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** Time left of the whole sync where the server estimates it, else of the current phase by its rate. */
function describeTimeLeft({ phase, progress, estimated_end_at }: Sync, rate: Rate): string | null {
  const end = estimated_end_at ? Date.parse(estimated_end_at) : NaN
  if (!Number.isNaN(end)) return `${formatDuration(end - Date.now())} left`
  if (!progress.total || !rate.done || progress.total < progress.done) return null
  const left = (progress.total - progress.done) / rate.done
  return `${formatDuration(left * 1000)} left${phase ? ` of ${phase}` : ''}`
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** Units of progress and rows per second. */
interface Rate {
  done: number | null
  rows: number | null
}

/** Measures the rate since the first poll of a phase; null until the second one. */
function createRateMeter(): (run: Sync) => Rate {
  let phase: string | null | undefined
  let since = 0
  let first = { done: 0, rows: 0 }
  return ({ phase: now, progress: { done }, counts }) => {
    const rows = counts?.read ?? 0
    if (now !== phase || done < first.done) {
      phase = now
      since = Date.now()
      first = { done, rows }
    }
    const seconds = (Date.now() - since) / 1000
    const perSecond = (count: number) => (seconds > 0.2 && count > 0 ? count / seconds : null)
    return { done: perSecond(done - first.done), rows: perSecond(rows - first.rows) }
  }
}
