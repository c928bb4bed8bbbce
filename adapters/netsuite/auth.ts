import type { AuthPlan, Connection } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import { Address, addressOf } from '../http/address.ts'
import { netsuiteOptions } from './options.ts'

const AUTHORIZE = '/app/login/oauth2/authorize.nl'
const TOKEN = '/services/rest/auth/oauth2/v1/token'
const SCOPE = 'rest_webservices'

/** @throws Fatal for an account, a role or an address that cannot be */
export function authPlanOf(connection: Connection): AuthPlan {
  const options = netsuiteOptions.parse(connection.options)
  const tokenEndpoint = serviceAddress(connection).url(TOKEN).href
  const role = roleOf(connection)
  if (options.auth === 'client_credentials') {
    const keyId = options.certificate_id
    if (!keyId) {
      const message = 'is needed: Setup > Integration > OAuth 2.0 Client Credentials shows it.'
      throw new Fatal('missing_certificate_id', message, 'options.certificate_id')
    }
    return { kind: options.auth, tokenEndpoint, scopes: [SCOPE], assertion: { keyId } }
  }
  return {
    kind: options.auth,
    authorizationEndpoint: loginAddress(connection).url(AUTHORIZE).href,
    ...{ tokenEndpoint, scopes: [SCOPE], usesPkce: true },
    needsHttps: true,
    consentDays: options.refresh_token_hours / 24,
    expects: [
      {
        name: 'company',
        isExpected: (value) => value !== null && spelledAsHost(value) === hostNameOf(connection),
        refusal: `The consent was given for another account than ${connection.account}.`,
      },
      {
        name: 'role',
        isExpected: (value) => value === role,
        refusal: `The consent was given in another role than ${role}.`,
      },
    ],
  }
}

/** Permissions of the role, by the names of its subtabs. */
export const RIGHTS = {
  setup: ['REST Web Services', 'Log in using OAuth 2.0 Access Tokens', 'SuiteAnalytics Workbook'],
  items: 'Items (View)',
  locations: 'Locations (View)',
  vendors: 'Vendors (View)',
  units: 'Units (View)',
  currency: 'Currency (View)',
  transactions: 'Find Transaction (View)',
  purchaseOrders: 'Purchase Order (View)',
  requisitions: 'Requisition (View)',
  contracts: ['Blanket Purchase Order (View)', 'Purchase Contract (View)'],
  salesOrders: 'Sales Order (View)',
  receipts: 'Item Receipt (View)',
  fulfilments: 'Item Fulfillment (View)',
  sales: [
    'Cash Sale (View)',
    'Invoice (View)',
    'Credit Memo (View)',
    'Return Authorization (View)',
  ],
  transfers: 'Transfer Order (View)',
} as const

/** All of them, for whoever grants them. */
export const neededRights = (): string[] => Object.values(RIGHTS).flat()

const ACCOUNT = /^[A-Za-z0-9]+([_-](SB|RP)\d+)?$/i
const MAX_LENGTH = 40

/** `1234567_SB1` and `1234567-sb1` are the same account. */
const spelledAsHost = (account: string): string => account.toLowerCase().replaceAll('_', '-')

/** @returns the account as the names of its hosts spell it @throws Fatal invalid_account */
function hostNameOf({ account }: Connection): string {
  if (account.length <= MAX_LENGTH && ACCOUNT.test(account)) return spelledAsHost(account)
  throw new Fatal(
    'invalid_account',
    'must be an account ID such as 1234567, or 1234567_SB1 of a sandbox.',
    'account',
  )
}

/** @throws Fatal invalid_role */
export function roleOf({ role }: Connection): string {
  if (/^\d{1,12}$/.test(role)) return role
  throw new Fatal(
    'invalid_role',
    'must be the internal ID of a role, such as 1042: Setup > Users/Roles > Manage Roles shows it.',
    'role',
  )
}

/** Where data and tokens come from. @throws Fatal invalid_account | invalid_address | insecure_address */
export function serviceAddress(connection: Connection): Address {
  const account = hostNameOf(connection)
  if (connection.baseUrl) return addressOf(connection)
  return Address.parse(`https://${account}.suitetalk.api.netsuite.com`, 'account')
}

/** Where people sign in. @throws like {@link serviceAddress} */
function loginAddress(connection: Connection): Address {
  const account = hostNameOf(connection)
  if (connection.baseUrl) return addressOf(connection)
  return Address.parse(`https://${account}.app.netsuite.com`, 'account')
}
