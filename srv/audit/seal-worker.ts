import { Worker } from '../worker.ts'
import { sealEntries } from './seal.ts'

/** Seals committed entries. */
export const sealWorker = new Worker({ name: 'audit', every: 2_000, work: sealEntries })
