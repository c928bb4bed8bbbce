// Connected ERPs: their connection, the consent to it, and the rights granted by it.
export { checkSource, connectSource, renewConsent, testConnection } from './connect-source.ts'
export { listTypes, type SourceType } from './connection-input.ts'
export { beginConsent, type UnusableConsent } from './consents.ts'
export { type CallbackParameters, completeConsent } from './complete-consent.ts'
export { connectionOf } from './credentials.ts'
export type { Problem } from './problems.ts'
export { giveUp, removeAbandoned, removeSource } from './remove-source.ts'
export {
  changeOptions,
  changePrecedence,
  changeSchedules,
  listSources,
  readSource,
  type Source,
} from './sources.ts'
export { type Sum, SUMMED_LISTS, sumsOf } from './sums.ts'
