import { Fatal } from '../../errors.ts'

/** A file that is not whole yet: what was read of it before stands. */
export const awaited = (name: string, why: string) =>
  new Fatal('file_awaited', `${name} is awaited: ${why}.`, name)
