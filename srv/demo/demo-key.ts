import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownFolder } from '../store/connections.ts'

/** The functions of API keys that the demo needs; the composition root passes them. */
export interface KeyIssuer {
  /** Issues a key with every scope. */
  issueKey(key: { name: string; actsAs: string }): Promise<{ key: string }>
  verifyKey(key: string): Promise<unknown>
}

/** Creates the API key that the CLI reads; one for each port, since each may have its own database. @returns its file */
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
