import { keepRun } from './runs.ts'

/**
 * Tells how far a phase of a sync is, in the caller's transaction; without a sync nothing happens.
 * @throws RunStopped when the sync was cancelled
 */
export async function reportProgress(
  sync: number | null,
  phase: string,
  progress: { done: number; total: number; unit: string },
) {
  if (sync !== null) await keepRun(sync, { phase, ...progress })
}
