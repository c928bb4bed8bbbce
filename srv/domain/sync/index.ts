// Syncs: reading ERPs, and making forecasts and proposals from what was read.
export { checkFilesOnThread, closeReading } from './reading/source-reader.ts'
export { cancelSync, listSyncs, readSync, startSync, type Sync } from './syncs.ts'
export { refreshOutdated, syncWorker, watchWorker } from './workers.ts'
