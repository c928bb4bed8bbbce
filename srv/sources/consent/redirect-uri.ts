import { facade } from '../../cap/facade.ts'
import { isProduction } from '../../cap/profiles.ts'
import { routeOfPlatform, settings } from '../../config.ts'
import { Refusal } from '../../errors.ts'

const PATH = '/oauth/callback'

/** The address of the callback, as registered with the ERP's OAuth client. @throws Refusal internal_error */
export function redirectUri(): string {
  const { publicUrl } = settings()
  const base = publicUrl ?? routeOfPlatform() ?? localAddress()
  return `${base.replace(/(?<!\/)\/+$/, '')}${PATH}`
}

/** Where a browser begins the consent that it is to come back from to `callback`: both have the same cookies. */
export const beginningUri = (callback: string, ticket: string) =>
  `${callback.slice(0, -PATH.length)}/oauth/authorize?ticket=${ticket}`

function localAddress(): string {
  const { url } = facade.server
  if (url && !isProduction()) return url
  throw new Refusal(
    'internal_error',
    'The consent page cannot redirect to this service: set cds.restock.publicUrl to its address.',
  )
}
