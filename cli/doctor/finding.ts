/** What was looked at, how it is, and how to mend it. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  message: string
  /** What to do; null where nothing is to be done. */
  cure: string | null
}

export const ok = (check: string, message: string): Finding => ({
  ...{ check, status: 'ok', message },
  cure: null,
})

export const warning = (check: string, message: string, cure: string): Finding => ({
  ...{ check, status: 'warning', message, cure },
})

export const failed = (check: string, message: string, cure: string): Finding => ({
  ...{ check, status: 'failed', message, cure },
})
