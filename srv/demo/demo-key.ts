import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownFolder } from '../store/connections.ts'

const SCOPES = [
  'forecasts:read',
  'proposals:read',
  'proposals:decide',
  'sources:manage',
  'sync:run',
  'keys:manage',
  'webhooks:manage',
] as const

/** What the demo needs of the keys, given by the composition root. */
export interface KeyIssuer {
  issueKey(key: { name: string; scopes: typeof SCOPES; actsAs: string }): Promise<{ key: string }>
  verifyKey(key: string): Promise<unknown>
}

/** The key with which the CLI of this checkout works at once; one a port, since each may have its own database. */
export async function ensureDemoKey(port: number, keys: KeyIssuer): Promise<string> {
  const file = path.join(ownFolder(), `key-${port}`)
  const held = await readFile(file, 'utf8').catch(() => null)
  const valid = held && (await keys.verifyKey(held.trim()).catch(() => null))
  if (valid) return file
  const { key } = await keys.issueKey({ name: `demo ${port}`, scopes: SCOPES, actsAs: 'approver' })
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return file
}
