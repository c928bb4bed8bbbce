import { RestockError } from '../../client/index.ts'

/** What was looked at, how it is, and how to mend it. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  message: string
  /** What to do; null where nothing is to be done. */
  cure: string | null
}

export const ok = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  cure: null,
})

const needing =
  (status: 'warning' | 'failed') =>
  (check: string, message: string, cure: string): Finding => ({ check, status, message, cure })

export const warning = needing('warning')
export const failed = needing('failed')

/** Null where the key may not. */
export async function unlessForbidden<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RestockError && error.code === 'insufficient_scope') return null
    throw error
  }
}
