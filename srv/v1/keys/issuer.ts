// Who issues or rotates a key: a person who is signed in, the service itself, or another key.
import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'
import type { Scope } from './scopes.ts'

interface Issuer {
  id: string
  attr: {
    /** The key that the call came with. */
    key?: string
    scopes?: readonly Scope[]
    /** The rows that this key sees. */
    locations?: string[] | null
    groups?: string[] | null
  }
}

const issuer = () => cds.context?.user as unknown as Issuer | undefined

/** The key that the call came with; null for a person or the service itself. */
export const issuingKey = (): string | null => issuer()?.attr.key ?? null

/** Whether this person is signed in. A key that acts as somebody is not that person. */
export const isSignedIn = (person: string | null): boolean =>
  person !== null && issuer()?.id === person && issuingKey() === null

interface Wish {
  scopes: readonly Scope[]
  actsAs?: string | null
}

/** A key gives no right that it lacks: no scope, and no rows. @throws Refusal insufficient_scope */
export function assertWithinIssuer({ scopes, actsAs }: Wish) {
  const { id, attr } = issuer() ?? {}
  if (!attr?.key) return
  const missing = scopes.filter((scope) => !attr.scopes?.includes(scope))
  if (missing.length) {
    throw new Refusal(
      'insufficient_scope',
      `A key gives only scopes that it has itself; this one lacks ${missing.join(', ')}.`,
      { target: 'scopes' },
    )
  }
  if ((attr.locations || attr.groups) && actsAs !== id) {
    throw new Refusal(
      'insufficient_scope',
      `This key sees what ${id} sees; a key that it issues must act as ${id} too.`,
      { target: 'acts_as' },
    )
  }
}
