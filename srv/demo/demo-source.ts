import path from 'node:path'
import cds from '@sap/cds'
import { takeNumbers } from '../store/counters.ts'
import { ownFolder } from '../store/connections.ts'
import { today } from '../store/today.ts'
import { makeDemo } from './make-demo.ts'

const LOG = cds.log('demo')

/** Connects the demo when there is no source yet, and starts its first sync. @returns whether it did */
export async function ensureDemoSource(): Promise<boolean> {
  if (await SELECT.one.from('restock.Sources').columns('ID')) return false
  LOG.info('making the demo: real demand of two shops, stock and suppliers made up from a seed …')
  await makeDemo(path.join(cds.root, 'data', 'source'), path.join(ownFolder(), 'demo'), today())
  const syncs = await cds.connect.to('SyncService')
  await cds.tx(async () => {
    const source = await takeNumbers('source')
    await INSERT.into('restock.Sources').entries({
      ...{ ID: source, type: 'csv', account: 'demo', role: 'demo', options: '{}', demo: true },
      ...{ status: 'connected', neededRights: '["read: demo"]', grantedRights: '["read: demo"]' },
      createdAt: new Date().toISOString(),
      createdBy: 'system',
    })
    await syncs.send('start', { source, mode: 'full' })
  })
  return true
}
