import { Worker } from '../worker.ts'
import { sealEntries } from './seal.ts'

/** Gives what was committed its place in the chain. */
export const sealWorker = new Worker({ name: 'audit', every: 2_000, work: sealEntries })
