// Property tests use the same cases in each run; RESTOCK_SEED=<number> uses others.
import fc from 'fast-check'

const seed = Number(process.env.RESTOCK_SEED ?? 1)

fc.configureGlobal({ seed })

/** Number of cases per property. */
export const setRuns = (numRuns: number) => fc.configureGlobal({ seed, numRuns })

export default fc
