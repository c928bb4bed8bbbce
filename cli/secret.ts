import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * The secret of an OAuth client, from RESTOCK_CLIENT_SECRET or from a prompt that does not show it.
 * Undefined for a client without a secret.
 */
export async function readSecret(): Promise<string | undefined> {
  const given = process.env.RESTOCK_CLIENT_SECRET
  if (given) return given
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  process.stderr.write('Client secret (empty for none): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  prompt.once('SIGINT', () => process.exit(130))
  try {
    return (await prompt.question('')) || undefined
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}
