// Looks at the whole trail at the start and every hour; what it finds is an alarm for administrators until it is mended.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { message } from '../../base/texts/texts.ts'
import { Worker } from '../../base/work/worker.ts'
import { readAnchors } from './anchor.ts'
import { prepareHead, sealEntries } from './seal.ts'
import { type Broken, type VerifyQuery, verifyTrail } from './verify.ts'

/** Of its sentence, `todo_<key>` in _i18n, and what stands in it. */
interface Alarm {
  key: string
  seq: string | null
  object: string | null
  place: string
  reason: string | null
}

/** What is wrong with the trail, as this instance found it last. */
let found: Broken | null = null

/** Remembers what a verification found; an error of another kind than before stands in the log once. */
export function noteFound(broken: Broken | null) {
  const isNew = broken && JSON.stringify(broken) !== JSON.stringify(found)
  found = broken
  if (!isNew) return
  const { key, ...places } = alarmOf(broken)
  cds.log('audit').error(message(`todo_${key}`, places, 'en'), broken)
}

/** What to tell of a problem: each kind has a sentence that says what to do. */
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
    .map(({ place }) => place)
    .join(', '),
  reason: null,
})

/** What administrators must know now. */
export async function readAlarms(): Promise<Alarm[]> {
  const { broken } = await verifyTrail({ limit: 1 })
  const alarm = broken ?? found
  const failing = readAnchors().filter(({ failure }) => failure !== null)
  return [
    ...(alarm ? [alarmOf(alarm)] : []),
    ...failing.map(({ place, failure }) => {
      return { key: 'trail_not_kept', seq: null, object: null, place, reason: failure }
    }),
  ]
}

/** Leaves nine tenths of the time to others. */
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
  /** Begins a look and ends: at a large trail it takes longer than a round may. */
  work(signal) {
    former.abort()
    former = new AbortController()
    looking = look(AbortSignal.any([signal, former.signal]))
    return Promise.resolve()
  },
  drain: async () => looking,
})

/** What a verification found, and as `alarm` what the service's own look at the whole found last. */
export type VerifiedNow = Awaited<ReturnType<typeof verifyNow>>

/** Seals what waits, then verifies, outside of the caller's transaction. */
export const verifyNow = (query: VerifyQuery = {}) =>
  runDetached('audit', async () => {
    await prepareHead()
      .then(sealEntries)
      .catch((error: unknown) => cds.log('audit').error('Sealing failed:', error))
    const answer = await verifyTrail(query)
    if (answer.broken && answer.broken.problem !== 'head_not_found') noteFound(answer.broken)
    // What was found may be mended: the next look tells.
    else if (found && !answer.next) void trailWorker.wake()
    return { ...answer, alarm: found }
  })
