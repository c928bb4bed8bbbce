// A connection to an SFTP server whose key is known beforehand.
import { createHash } from 'node:crypto'
import type SftpClient from 'ssh2-sftp-client'
import { Fatal, Retriable } from '../../errors.ts'
import type { User } from '../../user.ts'

export interface Server {
  host: string
  port: number
  /** Fingerprints of the keys that it may show, `SHA256:…`. */
  hostKeys: readonly string[]
}

const READY_MS = 20_000
const KEEPALIVE_MS = 10_000

/** As `ssh-keygen -l` prints it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`

/**
 * @returns null where the server refuses the user
 * @throws Fatal host_key_mismatch | invalid_private_key; Retriable
 */
export async function connect(server: Server, user: User): Promise<SftpClient | null> {
  const { default: Client } = await import('ssh2-sftp-client')
  const client = new Client()
  let shown: string | null = null
  try {
    await client.connect({
      ...{ host: server.host, port: server.port, username: user.name, ...secretOf(user) },
      ...{ readyTimeout: READY_MS, keepaliveInterval: KEEPALIVE_MS },
      hostVerifier(key: Buffer) {
        const fingerprint = fingerprintOf(key)
        if (server.hostKeys.includes(fingerprint)) return true
        shown = fingerprint
        return false
      },
    })
    sendAtOnce(client)
    return client
  } catch (error) {
    await client.end().catch(() => false)
    if (shown) throw mismatch(server.host, shown)
    const { message } = error as Error
    if (/authentication/i.test(message)) return null
    if (/private ?key/i.test(message))
      throw new Fatal('invalid_private_key', 'The private key cannot be read, or has a passphrase.')
    throw new Retriable(`${server.host} does not answer: ${message}`)
  }
}

/** Each small question would wait for 40 ms else, until the system has seen that nothing else is to be sent. */
function sendAtOnce(client: object): void {
  const { client: connection } = client as { client?: { setNoDelay?(noDelay: boolean): void } }
  connection?.setNoDelay?.(true)
}

/** What is stored as the secret is a private key where it says so, else the password. */
const secretOf = ({ password }: User) =>
  password.includes('PRIVATE KEY') ? { privateKey: password } : { password }

const mismatch = (host: string, shown: string) =>
  new Fatal(
    'host_key_mismatch',
    `${host} shows the key ${shown}, which is not the one in host_key: nothing was sent to it.`,
    'options.host_key',
  )
