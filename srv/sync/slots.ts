// How many syncs this instance works on at once. One whose ERP has sent nothing for a while lets another one begin; what it
// has read by then waits for its turn to be forecast and proposed.
import PQueue from 'p-queue'
import { settings } from '../config.ts'

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
