// A database without room: the sync says so, what was visible stays, and the next one goes on.
import cds from '@sap/cds'
import { connectFiles, server, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { call, get } from '../v1/api.ts'

const files = (skus: string[]) => ({
  'demand.csv': steadyDemand(skus),
  'stock.csv': ['sku,location,on_hand', ...skus.map((sku) => `${sku},L1,3`)].join('\n'),
})
const many = Array.from({ length: 100 }, (_, i) => `SKU-${i}`)

const stockOf = async (source: number) => {
  const query = cds.ql.SELECT.from('restock.CurrentStock').where({ source_ID: source })
  return ((await query) as object[]).length
}

it('a sync without room fails and says so; the next one reads what is missing', async () => {
  const source = await connectFiles('full', files(['A', 'B']))
  await sync(source, 'full')
  expect(await stockOf(source)).toBe(2)
  await writeFiles('full', files(many))
  const [{ page_count: pages }] = (await cds.db.run(
    'SELECT page_count FROM pragma_page_count',
  )) as [{ page_count: number }]
  await cds.db.run(`PRAGMA max_page_count = ${pages + 10}`)
  try {
    const { ID, status } = await sync(source, 'full')
    expect(status).toBe('failed')
    expect((await get(`/syncs/sync_${ID}`)).json.issues).toEqual([
      expect.objectContaining({
        code: 'disk_full',
        message: 'The disk of the database is full.',
        remedy: expect.stringContaining('makes room'),
      }),
    ])
    // As it was, or whole where there was still room for it.
    expect([2, 100]).toContain(await stockOf(source))
  } finally {
    await cds.db.run('PRAGMA max_page_count = 1073741823')
  }
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
  expect(await stockOf(source)).toBe(100)
})

describe('a call that changes something without room', () => {
  const withoutRoom = async <T>(change: (at: number) => Promise<T & { status: number }>) => {
    const [{ page_count: pages }] = (await cds.db.run(
      'SELECT page_count FROM pragma_page_count',
    )) as [{ page_count: number }]
    await cds.db.run(`PRAGMA max_page_count = ${pages}`)
    try {
      for (let at = 0; at < 200; at++) {
        const answer = await change(at)
        if (answer.status >= 500) return answer
      }
      throw new Error('There was room for 200 of them.')
    } finally {
      await cds.db.run('PRAGMA max_page_count = 1073741823')
    }
  }

  it('is refused by /v1 with what is to be done', async () => {
    const { status, error } = await withoutRoom((at) =>
      call('POST', '/keys', { body: { name: `key ${at}`, scopes: ['proposals:read'] } }),
    )
    expect(status).toBe(507)
    expect(error).toMatchObject({ code: 'disk_full', message: expect.stringMatching(/is full/) })
  })

  it('is refused by the apps, in the language of the person', async () => {
    const answer = await withoutRoom((at) =>
      server.axios.post(
        '/odata/v4/admin/UserLimits/AdminService.setUserLimit',
        { user: 'buyer', maxOrderValue: at + 1, currency: 'EUR', locations: [] },
        {
          auth: { username: 'admin', password: 'admin' },
          headers: { 'Accept-Language': 'de' },
          validateStatus: null,
        },
      ),
    )
    expect(answer).toMatchObject({ status: 507 })
    expect(answer.data).toMatchObject({
      error: { code: 'disk_full', message: expect.stringMatching(/^Der Datenträger .* ist voll/) },
    })
  })
})
