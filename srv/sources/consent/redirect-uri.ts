import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'

const PATH = '/oauth/callback'

/** Where a consent page sends the browser back to; registered with the ERP's OAuth client. */
export function redirectUri(): string {
  const { publicUrl } = cds.env.restock as { publicUrl?: string | null }
  const base = publicUrl ?? routeOfPlatform() ?? localAddress()
  return `${base.replace(/\/+$/, '')}${PATH}`
}

/** On Cloud Foundry the first route of the application. */
function routeOfPlatform(): string | null {
  const { application_uris: routes } = JSON.parse(process.env.VCAP_APPLICATION ?? '{}') as {
    application_uris?: string[]
  }
  return routes?.[0] ? `https://${routes[0]}` : null
}

function localAddress(): string {
  const { url } = (cds as unknown as { server?: { url?: string } }).server ?? {}
  if (url && !cds.env.profiles.includes('production')) return url
  throw new Refusal(
    'internal_error',
    'The consent has nowhere to return to: set cds.restock.publicUrl to the address of this service.',
  )
}
