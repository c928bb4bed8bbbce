import { facade } from '../../cap/facade.ts'
import { isProduction } from '../../cap/profiles.ts'
import { routeOfPlatform, settings } from '../../config.ts'
import { Refusal } from '../../errors.ts'

const PATH = '/oauth/callback'

/** The address of the callback, as registered with the ERP's OAuth client. @throws Refusal internal_error */
export function redirectUri(): string {
  const { publicUrl } = settings()
  const base = publicUrl ?? routeOfPlatform() ?? localAddress()
  return `${base.replace(/\/+$/, '')}${PATH}`
}

function localAddress(): string {
  const { url } = facade.server
  if (url && !isProduction()) return url
  throw new Refusal(
    'internal_error',
    'The consent page cannot redirect to this service: set cds.restock.publicUrl to its address.',
  )
}
