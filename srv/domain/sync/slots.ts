// Limits how many syncs this instance works on at once. If the ERP of one has sent nothing for a while, another may begin;
// the first one then waits for its turn to be forecast and proposed.
import PQueue from 'p-queue'
import { isDatabaseFault, isDiskFull } from '../../base/database/database-faults.ts'
import { settings } from '../../base/settings/config.ts'

const PATIENCE_MS = 60_000

/** When each run last received a page; null once it calculates. */
const active = new Map<number, number | null>()

/** Whether another run may begin. */
export function hasRoom(now = Date.now()): boolean {
  const busy = [...active.values()].filter((at) => at === null || now - at < PATIENCE_MS)
  return busy.length < settings().syncsAtOnce
}

/** Called when a run begins or receives a page of its ERP. */
export const noteMove = (ID: number) => void active.set(ID, Date.now())

export const leaveSlot = (ID: number) => void active.delete(ID)

let calculating: PQueue | undefined

/** Forecasts and proposes in turn, so that few runs do so at once. @throws the signal's reason once it is aborted */
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

// Counts faults of the database that runs meet on this instance. A run waits for the database and continues where it stood.
// If it meets the same fault again and again at the same position, the fault is its own.

/** The most faults in a row without progress: about eight minutes, besides the time that the database is away. */
const MOST_FAULTS = 20
/** The same for a full disk: about a quarter of a minute, since somebody has to make room. */
const MOST_WITHOUT_ROOM = 4
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

interface Setback {
  advances: number
  count: number
  retryAt: number
}

const setbacks = new Map<number, Setback>()

/** Called before a run is executed. @param advances how often it has made lasting progress */
export function noteStart(ID: number, advances: number) {
  const setback = setbacks.get(ID)
  if (setback && setback.advances === advances) return
  setbacks.set(ID, { advances, count: 0, retryAt: 0 })
}

/** Whether the run should be retried after this error, instead of failing with it. */
export function isSetback(ID: number, error: unknown): boolean {
  const setback = setbacks.get(ID)
  if (!setback || !isDatabaseFault(error)) return false
  setback.count++
  setback.retryAt = Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** setback.count)
  return setback.count < (isDiskFull(error) ? MOST_WITHOUT_ROOM : MOST_FAULTS)
}

export const waitsStill = (ID: number) => (setbacks.get(ID)?.retryAt ?? 0) > Date.now()

/** Called when a run has ended or belongs to another instance. */
export const forgetSetbacks = (ID: number) => setbacks.delete(ID)
