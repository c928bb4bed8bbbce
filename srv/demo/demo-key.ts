import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownFolder } from '../store/connections.ts'

/** The mocked user whose decisions those of the command line are. */
const PERSON = 'approver'

/** What the demo needs of the keys, given by the composition root. */
export interface KeyIssuer {
  /** Issues a key with every scope. */
  issueKey(key: { name: string; actsAs: string }): Promise<{ key: string }>
  verifyKey(key: string): Promise<{ id: string; isUnconfirmed: boolean }>
  /** Confirms a key as the person whom it acts as. */
  confirmKey(id: string, person: string): Promise<unknown>
}

/**
 * The key with which the CLI of this checkout works at once; one a port, since each may have its own database.
 * Whoever has the checkout can sign in as every mocked user, so that it is confirmed as one of them.
 */
export async function ensureDemoKey(port: number, keys: KeyIssuer): Promise<string> {
  const file = path.join(ownFolder(), `key-${port}`)
  const held = await readFile(file, 'utf8').catch(() => null)
  const valid = held && (await keys.verifyKey(held.trim()).catch(() => null))
  if (valid && !valid.isUnconfirmed) return file
  const id = valid ? valid.id : await issue(file, port, keys)
  await keys.confirmKey(id, PERSON)
  return file
}

async function issue(file: string, port: number, keys: KeyIssuer): Promise<string> {
  const { key } = await keys.issueKey({ name: `demo ${port}`, actsAs: PERSON })
  const { id } = await keys.verifyKey(key)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return id
}
