// A client that proves itself by a signature instead of a secret (RFC 7523).
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import { Fatal } from '../../../../adapters/errors.ts'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const LIFETIME = '5m'
/** RSA keys of less are refused by every server that takes assertions. */
const LEAST_RSA_BITS = 2048

const CURVES: Record<string, string> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

/**
 * @param pem the private key, whose certificate the server knows as `keyId`
 * @throws Fatal `invalid_private_key`
 */
export function assertionAuth(
  pem: string,
  keyId: string,
  scopes: readonly string[],
  audience: string,
): ClientAuth {
  const { key, alg } = readKey(pem)
  // The library waits for it, as for its own method of this kind, whose type says so no more.
  // eslint-disable-next-line @typescript-eslint/no-misused-promises
  return async (_server, { client_id: id }, body) => {
    const assertion = await new SignJWT({ scope: scopes.join(',') })
      .setProtectedHeader({ typ: 'JWT', alg, kid: keyId })
      .setIssuer(id)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(key)
    body.set('client_assertion_type', TYPE)
    body.set('client_assertion', assertion)
  }
}

/** The algorithm follows from the kind of key. */
function readKey(pem: string): { key: KeyObject; alg: string } {
  let key: KeyObject
  try {
    // Command lines and forms turn line ends into spaces or into \n.
    key = createPrivateKey(withLines(pem))
  } catch {
    throw unusable('it is no private key in PEM, or one with a passphrase')
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'rsa' || type === 'rsa-pss') {
    if ((details?.modulusLength ?? 0) < LEAST_RSA_BITS) throw unusable('it is too short')
    return { key, alg: 'PS256' }
  }
  const alg = type === 'ec' ? CURVES[details?.namedCurve ?? ''] : undefined
  if (!alg) throw unusable('it must be RSA, or EC on P-256, P-384 or P-521')
  return { key, alg }
}

function withLines(pem: string): string {
  const text = pem.replaceAll('\\n', '\n').trim()
  const [, label, body] = /^-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----$/.exec(text) ?? []
  if (!label || !body) return text
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

const unusable = (why: string) =>
  new Fatal(
    'invalid_private_key',
    `The private key of the certificate cannot be used: ${why}.`,
    'client_secret',
  )
