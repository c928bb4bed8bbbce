import { Fatal, Retriable, whyUnreachable } from '../../errors.ts'

/** What drivers say of an error. */
export interface DriverError {
  code?: string
  message?: string
}

const UNTRUSTED =
  /^(CERT_|ERR_TLS|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY|DECRYPT)|HOSTNAME_MISMATCH|HANDSHAKE_SSL)/

/** The database is not there, or was lost. */
export function connectionFailure({ code = '', message = '' }: DriverError): Fatal | Retriable {
  if (UNTRUSTED.test(code)) {
    const hint = 'give the file of its certification authority as option ca_file'
    return new Fatal(
      'tls_untrusted',
      `The database's certificate cannot be verified (${code}): ${hint}.`,
    )
  }
  if (/does not support (SSL|secure)|server does not support/i.test(message)) {
    return new Fatal('tls_untrusted', 'The database does not offer TLS: switch it on there.')
  }
  return new Retriable(`The database is unreachable (${whyUnreachable(code)}).`)
}

export const absent = (view: string) =>
  new Fatal('not_found', `There is no view ${view}, or this login may not see it.`, view)

export const forbidden = (view: string) =>
  new Fatal('forbidden', `This login may not read ${view}: grant SELECT on it.`, view)

export const tooSlow = (view: string) =>
  new Retriable(`${view} gave no rows in time: the view is slow, or the database is busy.`)
