// The public face of the typed client of /v1; README.md beside it shows its use.
export { RestockError, type ErrorCode } from './error.ts'
export type { Answer } from './http.ts'
export { isTransient, Restock, type RestockOptions, type Retry } from './restock.ts'
export type * from './types.ts'
