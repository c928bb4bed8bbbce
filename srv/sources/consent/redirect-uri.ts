import cds from '@sap/cds'
import { facade } from '../../cap/facade.ts'
import { routeOfPlatform, settings } from '../../config.ts'
import { Refusal } from '../../errors.ts'

const PATH = '/oauth/callback'

/** Where a consent page sends the browser back to; registered with the ERP's OAuth client. */
export function redirectUri(): string {
  const { publicUrl } = settings()
  const base = publicUrl ?? routeOfPlatform() ?? localAddress()
  return `${base.replace(/\/+$/, '')}${PATH}`
}

function localAddress(): string {
  const { url } = facade.server
  if (url && !cds.env.profiles.includes('production')) return url
  throw new Refusal(
    'internal_error',
    'The consent has nowhere to return to: set cds.restock.publicUrl to the address of this service.',
  )
}
