// Exports of the typed client of /v1; README.md shows how to use it.
export { RestockError, type ErrorCode } from './error.ts'
export type { Answer } from './http.ts'
export { isTransient, Restock, type RestockOptions, type Retry } from './restock.ts'
export type * from './types.ts'
