// How often in a row a run has ended its process. Whoever gets further begins its count anew, so that a long run outlives any
// number of kills, and one that dies at the same place again and again is given up.

/** Ends of its process at one place after which a run is given up. */
export const MOST_ATTEMPTS = 3

export const isGivenUp = (attempts: number | null | undefined) =>
  Number(attempts ?? 0) >= MOST_ATTEMPTS

/** What is known of a run whose process is gone. */
export interface Attempted {
  attempts: number | null
  advances: number | null
  phase: string | null
  done: number | null
  /** As `toPlace` writes it. */
  stuckAt: string | null
}

/** How far a run has got; what comes first counts most. */
type Place = [advances: number, phase: number, done: number]

const PHASES = ['queued', 'reading', 'forecasting', 'proposing']

const placeOf = ({ advances, phase, done }: Attempted): Place => [
  Number(advances ?? 0),
  PHASES.indexOf(phase ?? ''),
  Number(done ?? 0),
]

/** Compares with the furthest place of this count, not with the last one: two places that alternate are no progress. */
export function attemptsAfter(run: Attempted): { attempts: number; stuckAt: string } {
  const place = placeOf(run)
  const before = JSON.parse(run.stuckAt ?? '[-1,-1,-1]') as Place
  const isFurther = compare(place, before) > 0
  if (isFurther) return { attempts: 1, stuckAt: JSON.stringify(place) }
  return { attempts: Number(run.attempts ?? 0) + 1, stuckAt: run.stuckAt! }
}

const compare = (a: Place, b: Place): number =>
  a.map((each, at) => each - b[at]!).find(Boolean) ?? 0
