/** Calls that a key may make in a window, by group of paths. */
export const LIMITS = {
  forecasts: 600,
  batch: 20,
  decisions: 20,
  proposals: 120,
  admin: 120,
} as const

export type Group = keyof typeof LIMITS

/** Calls without a valid key that an address may make in a window. */
export const ADDRESS_LIMIT = 120

/** The keys of an account together may make this many times a group's limit. */
export const ACCOUNT_FACTOR = 3

/** The group of a path below /v1. */
export function groupOf(path: string): Group {
  if (path === '/forecasts') return 'forecasts'
  if (path === '/forecasts/batch') return 'batch'
  if (path === '/proposals/decisions') return 'decisions'
  if (OF_PROPOSALS.some((of) => path === of || path.startsWith(`${of}/`))) return 'proposals'
  return 'admin'
}

const OF_PROPOSALS = ['/proposals', '/exceptions']
