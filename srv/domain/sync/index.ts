// What is read from ERPs, and what is made of it: the forecasts and proposals of each sync.
export { checkFilesOnThread, closeReading } from './reading/source-reader.ts'
export { cancelSync, listSyncs, readSync, startSync, type Sync } from './syncs.ts'
export { refreshOutdated, syncWorker, watchWorker } from './workers.ts'
