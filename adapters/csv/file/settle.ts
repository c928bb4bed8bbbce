import { setTimeout as wait } from 'node:timers/promises'
import { awaited, type FileState, type SourceFiles } from './source-files.ts'

/** The longest that a read waits for a file. */
const MAX_WAIT_MS = 10_000

/**
 * Whether nothing was written for so long that a file can be taken to be whole. A file may have
 * changed within the present millisecond, or by a clock that is ahead: 0 awaits nothing at all.
 */
export const isSettled = ({ changedAt }: FileState, settleMs: number): boolean =>
  settleMs === 0 || Date.now() - changedAt >= settleMs

/** Waits until a file is not written any more. @throws Fatal file_awaited where that takes long */
export async function waitUntilSettled(
  files: SourceFiles,
  name: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<void> {
  let state = await files.state(name, signal)
  const until = Date.now() + Math.max(MAX_WAIT_MS, 2 * settleMs)
  while (state && !isSettled(state, settleMs)) {
    // Clocks differ: what has not changed meanwhile is whole, whatever its time says.
    await wait(settleMs, undefined, { signal })
    const later = await files.state(name, signal)
    if (isSame(state, later)) return
    if (Date.now() > until) throw awaited(name, 'it is still being written')
    state = later
  }
}

export const isSame = (one: FileState | null, other: FileState | null): boolean =>
  one?.size === other?.size && one?.changedAt === other?.changedAt
