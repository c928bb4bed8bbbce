import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownFolder } from '../store/connections.ts'

/** What the demo needs of the keys, given by the composition root. */
export interface KeyIssuer {
  /** Issues a key with every scope. */
  issueKey(key: { name: string; actsAs: string }): Promise<{ key: string }>
  verifyKey(key: string): Promise<unknown>
}

/** The key with which the CLI of this checkout works at once; one a port, since each may have its own database. */
export async function ensureDemoKey(port: number, keys: KeyIssuer): Promise<string> {
  const file = path.join(ownFolder(), `key-${port}`)
  const held = await readFile(file, 'utf8').catch(() => null)
  const valid = held && (await keys.verifyKey(held.trim()).catch(() => null))
  if (valid) return file
  const { key } = await keys.issueKey({ name: `demo ${port}`, actsAs: 'approver' })
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return file
}
