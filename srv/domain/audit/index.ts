// The audit trail: proposal events and administrative changes in one chain of hashes. Nobody may change it.
export { anchorWorker } from './anchor.ts'
export { type ListedEntry, listTrail } from './list.ts'
export { redactEntries } from './redact.ts'
export { noteRefusals, refusalWorker } from './refusals.ts'
export { sealNow, sealWorker } from './seal.ts'
export { readAlarms, trailWorker, type VerifiedNow, verifyNow } from './watch.ts'
