// Property tests of the engine: one seed a file, written to the output, so that any run can be had again.
import { basename } from 'node:path'
import fc from 'fast-check'

/** Sets and tells the seed of a file's properties; RESTOCK_SEED repeats one. */
export function tellSeed(file: string, numRuns = 500): void {
  const seed = Number(process.env.RESTOCK_SEED ?? Date.now() % 2 ** 31)
  fc.configureGlobal({ seed, numRuns })
  process.stderr.write(`fast-check: RESTOCK_SEED=${seed}, ${numRuns} runs (${basename(file)})\n`)
}
