// Property tests try the same cases each time; RESTOCK_SEED=<number> tries others.
import fc from 'fast-check'

const seed = Number(process.env.RESTOCK_SEED ?? 1)

fc.configureGlobal({ seed })

/** How often each property of a test file is tried. */
export const setRuns = (numRuns: number) => fc.configureGlobal({ seed, numRuns })

export default fc
