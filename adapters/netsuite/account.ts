import { Address, addressOf } from '../http/address.ts'
import { Fatal } from '../errors.ts'
import type { Connection } from '../adapter.ts'

const ACCOUNT = /^[A-Za-z0-9]+([_-](SB|RP)\d+)?$/i
const MAX_LENGTH = 40

/** `1234567_SB1` and `1234567-sb1` are the same account. */
export const spelledAsHost = (account: string): string => account.toLowerCase().replaceAll('_', '-')

/** @returns the account as the names of its hosts spell it @throws Fatal invalid_account */
export function hostNameOf({ account }: Connection): string {
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
export function loginAddress(connection: Connection): Address {
  const account = hostNameOf(connection)
  if (connection.baseUrl) return addressOf(connection)
  return Address.parse(`https://${account}.app.netsuite.com`, 'account')
}
