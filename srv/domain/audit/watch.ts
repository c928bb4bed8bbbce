// Verifies the whole trail at the start and every hour. A problem is an alarm for administrators until it is repaired.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { message } from '../../base/texts/texts.ts'
import { Worker } from '../../base/work/worker.ts'
import { readAnchors } from './anchor.ts'
import { prepareHead, sealEntries } from './seal.ts'
import { type Broken, type VerifyQuery, verifyTrail } from './verify.ts'

/** A sentence `todo_<key>` of _i18n with its values. */
interface Alarm {
  key: string
  seq: string | null
  object: string | null
  place: string
  reason: string | null
}

/** The problem that this instance found last. */
let found: Broken | null = null

/** Remembers a problem; the log tells it only when it differs from the one before. */
export function noteFound(broken: Broken | null) {
  const isNew = broken && JSON.stringify(broken) !== JSON.stringify(found)
  found = broken
  if (!isNew) return
  const { key, ...args } = alarmOf(broken)
  cds.log('audit').error(message(`todo_${key}`, args, 'en'), broken)
}

/** The sentence for each problem; it says what to do. */
const KINDS: Record<string, string> = {
  truncated: 'trail_cut',
  anchor_not_found: 'trail_cut',
  anchor_changed: 'trail_anchor',
  head_changed: 'trail_head',
  head_key_unknown: 'trail_head',
  proposal_changed: 'trail_proposal',
  proposal_missing: 'trail_proposal',
}

const alarmOf = ({ seq, problem, object }: Broken): Alarm => ({
  key: KINDS[problem] ?? 'trail_entry',
  seq: String(seq),
  object,
  place: readAnchors()
    .filter(({ isChanged }) => isChanged || problem !== 'anchor_changed')
    .map(({ name: place }) => place)
    .join(', '),
  reason: null,
})

export async function readAlarms(): Promise<Alarm[]> {
  const { broken } = await verifyTrail({ limit: 1 })
  const alarm = broken ?? found
  const failing = readAnchors().filter(({ failure }) => failure !== null)
  return [
    ...(alarm ? [alarmOf(alarm)] : []),
    ...failing.map(({ name: place, failure }) => {
      return { key: 'trail_not_kept', seq: null, object: null, place, reason: failure }
    }),
  ]
}

/** Pauses nine times as long as the page took, to leave time to other work. */
function gently(signal: AbortSignal) {
  let began = performance.now()
  return async () => {
    await sleep(9 * (performance.now() - began), undefined, { signal, ref: false })
    began = performance.now()
  }
}

async function look(signal: AbortSignal) {
  try {
    await prepareHead()
    const { broken } = await verifyTrail({ rest: gently(signal) })
    noteFound(broken)
  } catch (error) {
    if (!signal.aborted) cds.log('audit').error('The trail could not be looked at:', error)
  }
}

let looking: Promise<void> | undefined
let former = new AbortController()

export const trailWorker = new Worker({
  name: 'audit watch',
  every: 3_600_000,
  /** Only starts the verification: of a large trail it takes longer than a round may. */
  work(signal) {
    former.abort()
    former = new AbortController()
    looking = look(AbortSignal.any([signal, former.signal]))
    return Promise.resolve()
  },
  drain: async () => looking,
})

/** The result of a verification; `alarm` is the problem that the hourly verification found last. */
export type VerifiedNow = Awaited<ReturnType<typeof verifyNow>>

/** Seals the waiting entries and then verifies, outside the caller's transaction. */
export const verifyNow = (query: VerifyQuery = {}) =>
  runDetached('audit', async () => {
    await prepareHead()
      .then(sealEntries)
      .catch((error: unknown) => cds.log('audit').error('Sealing failed:', error))
    const answer = await verifyTrail(query)
    if (answer.broken && answer.broken.problem !== 'head_not_found') noteFound(answer.broken)
    // The problem may be repaired by now: a new verification will tell.
    else if (found && !answer.next) void trailWorker.wake()
    return { ...answer, alarm: found }
  })
