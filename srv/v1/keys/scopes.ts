export const SCOPES = [
  'forecasts:read',
  'proposals:read',
  'proposals:decide',
  'policies:manage',
  'sources:manage',
  'sync:run',
  'keys:manage',
  'webhooks:manage',
  'audit:read',
] as const

/** A right that a key may carry; docs/reference/api.md says what each opens. */
export type Scope = (typeof SCOPES)[number]
