// XSUAA and the identity service, as far as tokens are verified with their keys.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import type http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const CLIENT = 'sb-restock!t1'
export const APP = 'restock!t1'
const KID = 'key-1'

/** Null where there is no openssl to make a certificate with. */
function certificate() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-keys-'))
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert, '-nodes', '-days', '2']
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject], {
      stdio: 'ignore',
    })
  } catch {
    return null
  }
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

export interface KeyServer {
  url: string
  host: string
  /** Signed with the right key unless told otherwise. */
  sign(claims: JWTPayload, options?: { foreign?: boolean; expires?: string }): Promise<string>
  close(): void
}

export async function startKeyServer(): Promise<KeyServer | null> {
  const tls = certificate()
  if (!tls) return null
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: KID, use: 'sig', alg: 'RS256' }
  let url = ''
  const answer: http.RequestListener = (req, res) => {
    res.setHeader('Content-Type', 'application/json')
    const isDiscovery = req.url?.startsWith('/.well-known/')
    res.end(
      JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: [jwk] }),
    )
  }
  const server = https.createServer(tls, answer).listen(0)
  await once(server, 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  url = `https://${host}`
  https.globalAgent.options.ca = tls.cert
  return {
    ...{ url, host },
    sign: (claims, { foreign = false, expires = '1h' } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: KID, typ: 'JWT', jku: `${url}/token_keys` })
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(foreign ? other.privateKey : own.privateKey),
    close: () => server.close(),
  }
}
