import cds from '@sap/cds'
import { csvSource } from '../../support/server.ts'

const { SELECT } = cds.ql

describe('sync', () => {
  it('reads a source', async () => {
    await csvSource('a', {
      'demand.csv': 'sku,location,date,quantity\nA,L1,2026-11-01,3\nA,L1,2026-11-05,2\n',
      'stock.csv': 'sku,location,on_hand\nA,L1,0\n',
      'planning.csv': 'sku,location,lead_time_days\nA,L1,7\n',
    })
    const sources = await cds.connect.to('SourcesService')
    const syncs = await cds.connect.to('SyncService')
    const source = await sources.send('connect', { type: 'csv', account: 'a', role: 'r' })
    const { ID } = await syncs.send('start', { source: source.ID, mode: 'full' })
    let sync
    do {
      await new Promise((r) => setTimeout(r, 100))
      sync = await syncs.send('find', { ID })
    } while (['queued', 'running'].includes(sync.status))
    expect(sync).toMatchObject({ status: 'succeeded', rowsRead: 4 })
    console.log(await SELECT.from('restock.Proposals'))
  })
})
