import { writeFiles } from '../../support/server.ts'
import { del, errorOf, get, post } from './api.ts'
import { readDemand } from './demand.ts'

const source = { type: 'csv', account: 'empty', role: 'planner' }

describe('sources', () => {
  it('are connected, shown, listed and removed', async () => {
    await writeFiles('empty', { 'demand.csv': 'sku,location,date,quantity\n' })
    const { status, headers, json } = await post('/sources', source)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/v1/sources/${json.id}`)
    expect(json).toMatchObject({
      ...{ ...source, status: 'connected', authorization_url: null, expires_at: null },
    })
    const shown = (await get(`/sources/${json.id}`)).json
    expect(shown).toMatchObject({ id: json.id, last_sync: null, data_as_of: null })
    expect((await get('/sources')).json.data).toContainEqual(shown)
    expect((await del(`/sources/${json.id}`)).status).toBe(204)
    const gone = { status: 404, code: 'source_not_found' }
    expect(errorOf(await get(`/sources/${json.id}`))).toEqual(gone)
  })

  it.each([
    [{ ...source, type: 'abacus' }, 'type'],
    [{ ...source, account: '' }, 'account'],
    [{ ...source, account: '../..' }, 'account'],
    [{ ...source, type: 'as400' }, 'type'],
    [{ type: 'csv' }, 'account'],
    [{ ...source, role: '' }, 'role'],
    [{ ...source, base_url: 'ftp://x' }, 'base_url'],
    [{ ...source, base_url: 'x' }, 'base_url'],
    [{ ...source, options: [] }, 'options'],
    [{ ...source, password: 'x' }, 'password'],
  ])('refuse %j', async (body, target) => {
    const expected = { status: 400, code: 'invalid_parameter', target }
    expect(errorOf(await post('/sources', body))).toEqual(expected)
  })

  it.each(['src_0', 'src_99999', 'src_x', 'sync_1', '%00'])('know no %s', async (id) => {
    const expected = { status: 404, code: 'source_not_found' }
    expect(errorOf(await get(`/sources/${id}`))).toEqual(expected)
    expect(errorOf(await del(`/sources/${id}`))).toEqual(expected)
    expect(errorOf(await post(`/sources/${id}/sync`, { mode: 'never' }))).toEqual(expected)
    expect(errorOf(await get(`/sources/${id}/syncs?limit=0`))).toEqual(expected)
    expect(errorOf(await get(`/sources/${id}/syncs`))).toEqual(expected)
  })
})

describe('syncs', () => {
  it('run to their end, one at a time', async () => {
    const id = await readDemand('syncs')
    const { status, headers, json } = await post(`/sources/${id}/sync`, { mode: 'incremental' })
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/v1/syncs/${json.id}`)
    expect(json).toMatchObject({ source_id: id, mode: 'incremental' })
    const second = await post(`/sources/${id}/sync`, { mode: 'full' })
    if (second.status === 409) {
      expect(second.error).toMatchObject({ code: 'sync_in_progress', sync_id: json.id })
    }
    const list = (await get(`/sources/${id}/syncs`)).json.data
    expect(list.at(-1)).toMatchObject({ mode: 'full', status: 'succeeded' })
    expect((await get(`/sources/${id}`)).json.last_sync!.id).toBe(list[0]!.id)
  })

  it('that have finished are not cancelled', async () => {
    const id = await readDemand('finished')
    const { id: sync } = (await get(`/sources/${id}/syncs`)).json.data[0]!
    const answer = await post(`/syncs/${sync}/cancel`)
    expect(errorOf(answer)).toEqual({ status: 409, code: 'sync_already_finished' })
  })

  it.each([[{}], [{ mode: 'quick' }], [{ mode: 'full', force: true }]])(
    'do not start with %j',
    async (body) => {
      const { json } = await post('/sources', source)
      const answer = await post(`/sources/${json.id}/sync`, body)
      expect(errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_parameter' })
    },
  )

  it.each(['sync_0', 'sync_99999', 'x'])('know no %s', async (id) => {
    const expected = { status: 404, code: 'not_found' }
    expect(errorOf(await get(`/syncs/${id}`))).toEqual(expected)
    expect(errorOf(await post(`/syncs/${id}/cancel`))).toEqual(expected)
  })
})
