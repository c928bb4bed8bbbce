import cds from '@sap/cds'
import { EVENT_TYPES, publishEvents } from '../../../srv/base/database/events.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'
import { aKey, errorOf, get, post } from './api.ts'

let count = 0
const event = () => ({ type: 'sync.completed' as const, data: { id: `sync_${++count}` } })
const happen = async (many = 1) => {
  const events = Array.from({ length: many }, event)
  await cds.tx(() => publishEvents(events))
  return events.map(({ data }) => data.id)
}

type Row = { id: string; type: string; data: { id: string } }

/** Everything after a cursor, page by page, and where to go on. */
async function rest(cursor?: string, query = 'limit=7') {
  const rows: Row[] = []
  for (;;) {
    const { json } = await get(`/events?${query}${cursor ? `&cursor=${cursor}` : ''}`)
    rows.push(...json.data)
    cursor = json.next_cursor
    if (!json.has_more) return { rows, cursor, ids: rows.map(({ data }) => data.id) }
  }
}

describe('the list of events', () => {
  it('always says where to go on, also where there is none', async () => {
    const { cursor } = await rest()
    expect((await rest(cursor)).ids).toEqual([])
    const ids = await happen(20)
    const later = await rest(cursor)
    expect(later.ids).toEqual(ids)
    expect((await rest(later.cursor)).ids).toEqual([])
  })

  it('gives those of chosen types, and remembers the choice in its cursor', async () => {
    const { cursor } = await rest(undefined, 'types=sync.failed&types=forecast.refreshed')
    await happen(3)
    await cds.tx(() => publishEvents([{ type: 'sync.failed', data: { id: 'sync_0' } }]))
    const types = 'types=sync.failed&types=forecast.refreshed'
    expect((await rest(cursor, types)).ids).toEqual(['sync_0'])
    const swapped = await get(`/events?types=forecast.refreshed&types=sync.failed&cursor=${cursor}`)
    expect(swapped.status).toBe(200)
    for (const query of ['types=sync.failed', 'limit=5']) {
      const answer = await get(`/events?${query}&cursor=${cursor}`)
      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_cursor', target: 'cursor' })
    }
  })

  it('refuses what it does not know', async () => {
    expect(errorOf(await get('/events?types=sync.began')).target).toBe('types')
    expect(errorOf(await get('/events?cursor=abc')).code).toBe('invalid_cursor')
    const key = await aKey({ scopes: ['proposals:read'] })
    expect(errorOf(await get('/events', { key })).code).toBe('insufficient_scope')
  })

  it('skips nothing that is committed late, while many write and one reads', async () => {
    const start = (await rest()).cursor
    let isOver = false
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let at = 0; at < 8; at++) {
        await cds.tx(async () => {
          await publishEvents([{ type: 'sync.failed', data: { id: `w${writer}_${at}` } }])
          // On PostgreSQL transactions overlap, and the first to write is not the first to commit.
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
          await publishEvents([{ type: 'sync.failed', data: { id: `w${writer}_${at}b` } }])
        })
      }
    })
    const seen: string[] = []
    const reader = async () => {
      for (let cursor = start; ;) {
        const wasOver = isOver
        const page = await rest(cursor)
        seen.push(...page.ids)
        cursor = page.cursor
        if (wasOver) return
      }
    }
    const reading = reader()
    await Promise.all(writers)
    isOver = true
    await reading
    expect(seen).toHaveLength(12 * 8 * 2)
    expect(new Set(seen).size).toBe(seen.length)
    expect((await rest(start)).ids).toEqual(seen)
    for (let writer = 0; writer < 12; writer++) {
      const mine = seen.filter((id) => id.startsWith(`w${writer}_`))
      expect(mine).toEqual(
        mine.toSorted((a, b) => parseInt(a.split('_')[1]!) - parseInt(b.split('_')[1]!)),
      )
    }
  })

  it('shows an event of a transaction that began before and commits after another one', async () => {
    const start = (await rest()).cursor
    if (cds.db.kind === 'sqlite') return
    let commit = () => {}
    const held = new Promise<void>((resolve) => (commit = resolve))
    let written = () => {}
    const isWritten = new Promise<void>((resolve) => (written = resolve))
    const late = cds.tx(async () => {
      await publishEvents([{ type: 'sync.failed', data: { id: 'late' } }])
      written()
      await held
    })
    await isWritten
    await cds.tx(() => publishEvents([{ type: 'sync.failed', data: { id: 'early' } }]))
    const first = await rest(start)
    expect(first.ids).toEqual(['early'])
    commit()
    await late
    expect((await rest(first.cursor)).ids).toEqual(['late'])
  })
})

describe('events are written', () => {
  it('by every change of a proposal, through whichever door, and by syncs and forecasts', async () => {
    const { cursor } = await rest()
    const source = await connectFiles('events', {
      'demand.csv': steadyDemand(['A', 'B', 'C', 'D']),
      'stock.csv': 'sku,location,on_hand\nA,L1,0\nB,L1,0\nC,L1,0\nD,L1,0\n',
      'planning.csv': `sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency
${['A', 'B', 'C', 'D'].map((sku) => `${sku},L1,7,20,10,S-1,3.00,EUR`).join('\n')}\n`,
    })
    await sync(source)
    const { rows, cursor: after } = await rest(cursor)
    expect(rows.map(({ type }) => type)).toEqual([
      'forecast.refreshed',
      ...Array<string>(4).fill('proposal.created'),
      'sync.completed',
    ])
    const [refreshed, first] = rows
    expect(refreshed!.data).toMatchObject({ id: `src_${source}`, forecasts: 4 })
    expect(first!.data).toMatchObject({ sku: 'A', location: 'L1', status: 'pending', version: 1 })
    const [a, b, c] = rows.slice(1).map(({ data }) => data.id)
    const until = new Date(Date.now() + 86_400_000).toISOString()
    expect((await post(`/proposals/${a}/approve`)).status).toBe(200)
    expect((await post(`/proposals/${a}/approve`)).status).toBe(200)
    expect((await post(`/proposals/${a}/cancel`, { reason: 'other' })).status).toBe(200)
    expect((await post(`/proposals/${b}/snooze`, { until })).status).toBe(200)
    await proposalsAs({ via: 'ui' }, 'decline', { ID: Number(c!.slice(5)) })
    const told = (await rest(after)).rows
    expect(told.map(({ type, data }) => [type, data.id])).toEqual([
      ['proposal.approved', a],
      ['proposal.cancelled', a],
      ['proposal.snoozed', b],
      ['proposal.rejected', c],
    ])
    for (const { type } of [...rows, ...told]) expect(EVENT_TYPES).toContain(type)
  })

  it('by a sync that fails', async () => {
    const { cursor } = await rest()
    const source = await connectFiles('fails', { 'demand.csv': 'nothing\n' })
    expect((await sync(source)).status).toBe('failed')
    const { rows } = await rest(cursor)
    expect(rows).toMatchObject([{ type: 'sync.failed', data: { source_id: `src_${source}` } }])
  })
})
