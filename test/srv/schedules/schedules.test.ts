import cds from '@sap/cds'
import { coordinator } from '../../../srv/schedules/coordinator.ts'
import { startDueSyncs } from '../../../srv/schedules/due-syncs.ts'
import { connectFiles, finished, steadyDemand } from '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const syncsOf = (source: number) =>
  SELECT.from('restock.Syncs').columns('ID', 'mode').where({ source_ID: source }).orderBy('ID')

describe('schedules', () => {
  it('start what is due in this minute, the full one where both are', async () => {
    const source = await connectFiles('due', { 'demand.csv': steadyDemand(['A']) })
    await startDueSyncs(new Date('2026-11-21T07:30:00Z'))
    expect(await syncsOf(source)).toEqual([])
    await startDueSyncs(new Date('2026-11-21T07:00:00Z'))
    const [hourly] = await syncsOf(source)
    expect(hourly).toMatchObject({ mode: 'incremental' })
    await finished(hourly.ID)
    await startDueSyncs(new Date('2026-11-21T02:00:00Z'))
    const [, nightly] = await syncsOf(source)
    expect(nightly).toMatchObject({ mode: 'full' })
    await finished(nightly.ID)
  })

  it('are a source’s own where it has some', async () => {
    const source = await connectFiles('own', { 'demand.csv': steadyDemand(['A']) })
    await UPDATE.entity('restock.Sources')
      .set({ fullSchedule: '', incrementalSchedule: '15 6 * * *' })
      .where({ ID: source })
    await startDueSyncs(new Date('2026-11-21T02:00:00Z'))
    expect(await syncsOf(source)).toEqual([])
    await startDueSyncs(new Date('2026-11-21T06:15:00Z'))
    const [own] = await syncsOf(source)
    expect(own).toMatchObject({ mode: 'incremental' })
    await finished(own.ID)
    for (const { ID } of await SELECT.from('restock.Syncs').where({ status: 'queued' }))
      await finished(ID)
  })

  it('let one of several instances do the work', async () => {
    const claims = await Promise.all([1, 2, 3, 4].map(() => coordinator.shouldRun('job 12:00', 1)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await coordinator.shouldRun('job 12:01', 1)).toBe(true)
  })
})
