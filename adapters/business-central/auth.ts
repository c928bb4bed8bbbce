import type { AuthPlan, Connection } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import { Address } from '../http/address.ts'
import { businessCentralOptions } from './options.ts'

const CLOUD = 'https://api.businesscentral.dynamics.com'
/** There is no scope that only reads: what may be read is up to the user's permission sets. */
const DELEGATED = `${CLOUD}/Financials.ReadWrite.All`

/**
 * The address below which the APIs are: `<base URL>`, or that of the tenant's environment.
 * @throws Fatal invalid_address | insecure_address
 */
export function baseOf({ account, baseUrl, options }: Connection): Address {
  if (baseUrl) return Address.parse(baseUrl, 'base_url')
  const { environment } = businessCentralOptions.parse(options)
  return Address.parse(`${CLOUD}/v2.0/${tenantOf(account)}/${environment}`, 'account')
}

/** @throws Fatal invalid_address | insecure_address */
export function authPlanOf(connection: Connection): AuthPlan {
  const { auth: kind, login_url: login } = businessCentralOptions.parse(connection.options)
  baseOf(connection)
  if (kind === 'basic') return { kind }
  const server = Address.parse(login, 'options.login_url')
  const endpoint = (name: string) =>
    server.url(`/${tenantOf(connection.account)}/oauth2/v2.0/${name}`).href
  if (kind === 'client_credentials') {
    return { kind, tokenEndpoint: endpoint('token'), scopes: [`${CLOUD}/.default`] }
  }
  return {
    kind,
    authorizationEndpoint: endpoint('authorize'),
    tokenEndpoint: endpoint('token'),
    scopes: [DELEGATED, 'offline_access'],
    usesPkce: true,
    // Entra states the scopes of the resource alone, the older name of the same right among them.
    wording: {
      harmless: [
        ...[`${CLOUD}/user_impersonation`, `${CLOUD}/.default`, 'openid', 'profile', 'email'],
        'offline_access',
      ],
      unstated: ['offline_access'],
    },
  }
}

/** A tenant's ID or one of its domains. @throws Fatal invalid_address */
function tenantOf(account: string): string {
  if (/^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/.test(account) && !account.includes('..')) {
    return account
  }
  const message = 'The account must be the ID or a domain of your tenant, such as contoso.com.'
  throw new Fatal('invalid_address', message, 'account')
}
