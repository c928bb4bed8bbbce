import cliProgress from 'cli-progress'
import { safe } from './text.ts'
import type { Sync } from './answers.ts'

export interface Progress {
  show(run: Sync): void
  stop(): void
}

const BAR_WIDTH = 24
const LINE_EVERY_MS = 5000

/** A live bar on a terminal, a line now and then elsewhere. */
export function progressOf(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? liveBar(stream) : plainLines(stream)
}

function liveBar(stream: NodeJS.WriteStream): Progress {
  const rate = rateMeter()
  const bar = new cliProgress.SingleBar({
    stream,
    format: (_options, params, { text }: { text: string }) => barText(params, text),
    clearOnComplete: true,
    hideCursor: true,
    linewrap: false,
    gracefulExit: false,
  })
  let started = false
  return {
    show(run) {
      const { done, total } = run.progress
      const payload = { text: describe(run, rate(run)) }
      if (!started) bar.start(total ?? 0, done, payload)
      started = true
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

function plainLines(stream: NodeJS.WriteStream): Progress {
  const rate = rateMeter()
  let phase: string | null | undefined
  let written = 0
  return {
    show(run) {
      const speed = rate(run)
      const now = Date.now()
      if (run.phase === phase && now - written < LINE_EVERY_MS) return
      phase = run.phase
      written = now
      stream.write(`${describe(run, speed)}\n`)
    },
    stop() {},
  }
}

/** Phase, rows, rate and time left, as far as they are known. */
function describe(run: Sync, perSecond: number | null): string {
  const { done, total } = run.progress
  const isBytes = run.progress.unit === 'bytes'
  const unit = isBytes ? 'MB' : (run.progress.unit ?? 'rows')
  const number = (count: number) => (isBytes ? (count / 1e6).toFixed(1) : String(Math.round(count)))
  const parts = [run.phase ?? run.status]
  if (done > 0 || total) parts.push(`${number(done)}${total ? `/${number(total)}` : ''} ${unit}`)
  if (perSecond !== null) parts.push(`${number(perSecond)} ${unit}/s`)
  const left = secondsLeft(run, perSecond)
  if (left !== null) parts.push(`${left} s left`)
  return safe(parts.join(' · '))
}

/** The server's own estimate, for all phases; else that of the present one from its rate. */
function secondsLeft(
  { progress, estimated_end_at }: Sync,
  perSecond: number | null,
): number | null {
  const end = estimated_end_at ? Date.parse(estimated_end_at) : NaN
  if (!Number.isNaN(end)) return Math.max(0, Math.round((end - Date.now()) / 1000))
  if (!progress.total || !perSecond) return null
  return Math.max(0, Math.round((progress.total - progress.done) / perSecond))
}

/** Units a second since the phase was first seen; null until there are two looks at it. */
function rateMeter(): (run: Sync) => number | null {
  let phase: string | null | undefined
  let since = 0
  let first = 0
  return ({ phase: now, progress }) => {
    if (now !== phase || progress.done < first) {
      phase = now
      since = Date.now()
      first = progress.done
    }
    const seconds = (Date.now() - since) / 1000
    return seconds > 0.2 && progress.done > first ? (progress.done - first) / seconds : null
  }
}
