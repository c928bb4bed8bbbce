// How many syncs this instance works on at once. One whose ERP has sent nothing for a while lets another one begin; what it
// has read by then waits for its turn to be forecast and proposed.
import PQueue from 'p-queue'
import { isDatabaseFault, isDiskFull } from '../../base/database/database-faults.ts'
import { settings } from '../../base/settings/config.ts'

const PATIENCE_MS = 60_000

/** By run the time at which it last moved; `null` once it calculates. */
const active = new Map<number, number | null>()

/** Whether another run may begin. */
export function hasRoom(now = Date.now()): boolean {
  const busy = [...active.values()].filter((at) => at === null || now - at < PATIENCE_MS)
  return busy.length < settings().syncsAtOnce
}

/** A run begins, or has got a page of its ERP. */
export const noteMove = (ID: number) => void active.set(ID, Date.now())

export const leaveSlot = (ID: number) => void active.delete(ID)

let calculating: PQueue | undefined

/** Forecasts and proposes when fewer others do than may at once. @throws the signal's reason once it is aborted */
export async function calculateInTurn<T>(
  ID: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  calculating ??= new PQueue({ concurrency: settings().syncsAtOnce })
  active.set(ID, null)
  // The queue does not wait for work that its signal interrupts.
  let begun: Promise<T> | undefined
  try {
    return await calculating.add(() => (begun = work()), { signal })
  } finally {
    await begun?.catch(() => {})
  }
}

// Faults of the database that runs have met on this instance. A run waits for the database and goes on where it stood; only
// where it meets the same fault again and again at the same place, the fault is its own.

/** Faults in a row without anything done in between: some eight minutes, besides the time that the database is away. */
const MOST_FAULTS = 20
/** Of a full disk, some quarter of a minute: somebody has to make room. */
const MOST_WITHOUT_ROOM = 4
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

interface Setback {
  advances: number
  count: number
  retryAt: number
}

const setbacks = new Map<number, Setback>()

/** Before a run is executed. @param advances what is done of it for good */
export function noteStart(ID: number, advances: number) {
  const setback = setbacks.get(ID)
  if (setback && setback.advances === advances) return
  setbacks.set(ID, { advances, count: 0, retryAt: 0 })
}

/** Whether the run waits and is tried again after this error; else it fails with it. */
export function isSetback(ID: number, error: unknown): boolean {
  const setback = setbacks.get(ID)
  if (!setback || !isDatabaseFault(error)) return false
  setback.count++
  setback.retryAt = Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** setback.count)
  return setback.count < (isDiskFull(error) ? MOST_WITHOUT_ROOM : MOST_FAULTS)
}

export const waitsStill = (ID: number) => (setbacks.get(ID)?.retryAt ?? 0) > Date.now()

/** A run that has ended, or is another instance's by now. */
export const forgetSetbacks = (ID: number) => setbacks.delete(ID)
