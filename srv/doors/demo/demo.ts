import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import { takeNumbers } from '../../base/database/counters.ts'
import { today } from '../../base/time/days.ts'
import { ownFolder } from '../../base/settings/config.ts'
import { startSync } from '../../domain/sync/index.ts'
import { makeDemo } from './make-demo.ts'

/** The mocked user whose decisions those of the command line are. */
const PERSON = 'approver'

/** The functions for keys that the demo needs; the composition root passes them in. */
interface KeyIssuer {
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
  if (valid) {
    await keys.confirmKey(valid.id, PERSON)
    return file
  }
  const { key } = await keys.issueKey({ name: `demo ${port}`, actsAs: PERSON })
  const { id } = await keys.verifyKey(key)
  await keys.confirmKey(id, PERSON)
  // Whoever finds the file may call at once.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return file
}

const LOG = cds.log('demo')

/** Connects the demo when there is no source yet, and starts its first sync. @returns whether it did */
export async function ensureDemoSource(): Promise<boolean> {
  if (await SELECT.one.from('restock.Sources').columns('ID')) return false
  LOG.info('making the demo: real demand of two shops, stock and suppliers made up from a seed …')
  await makeDemo(path.join(cds.root, 'data', 'source'), path.join(ownFolder(), 'demo'), today())
  await cds.tx(async () => {
    const source = await takeNumbers('source')
    await INSERT.into('restock.Sources').entries({
      ...{ ID: source, type: 'csv', account: 'demo', role: 'demo', options: '{}', demo: true },
      ...{ status: 'connected', neededRights: '["read: demo"]', grantedRights: '["read: demo"]' },
      createdAt: new Date().toISOString(),
      createdBy: 'system',
    })
    await startSync({ source, mode: 'full' })
  })
  return true
}
