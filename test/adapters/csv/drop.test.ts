// Files that are put down while they are read: only whole ones are.
import { createHash } from 'node:crypto'
import { appendFileSync, rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { csvAdapter } from '../../../adapters/csv/index.ts'
import { readAll, streamOf } from '../../conformance/adapter.ts'
import { demandFile, temporaryRoot } from './files.ts'

const { adapter, connect, pages, put, root } = temporaryRoot()
const DEMAND = demandFile('A,L1,2025-01-01,1', 'A,L1,2025-01-02,2')
const STOCK = 'sku,location,on_hand\nA,L1,5\n'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const manifestOf = (...files: object[]) => JSON.stringify({ files })
const DEMAND_ENTRY = { name: 'demand.csv', size: DEMAND.length, sha256: sha256(DEMAND) }

describe('a drop with a manifest', () => {
  it('is read where sizes and hashes are those of the manifest', async () => {
    const account = put({
      'demand.csv': DEMAND,
      'stock.csv': STOCK,
      'manifest.json': manifestOf(DEMAND_ENTRY, { name: 'stock.csv', sha256: sha256(STOCK) }),
    })
    expect((await pages('demand', account))[0]!.records).toHaveLength(2)
    expect((await pages('stock', account))[0]!.records).toHaveLength(1)
    expect(await pages('planning', account)).toMatchObject([{ cursor: 'absent' }])
  })

  it.each([
    ['is cut off', DEMAND.slice(0, -20), DEMAND_ENTRY, /bytes, and \d+ by manifest/],
    ['is another one of the same size', DEMAND.replace(',1\n', ',9\n'), DEMAND_ENTRY, /SHA-256/],
    ['is not named', DEMAND, { name: 'stock.csv', size: 1 }, /does not name it/],
    ['is not there yet', null, DEMAND_ENTRY, /is not there/],
  ])('awaits a file that %s', async (_, text, entry, message) => {
    const account = put({
      ...(text !== null && { 'demand.csv': text }),
      'manifest.json': manifestOf(entry),
    })
    await expect(pages('demand', account)).rejects.toMatchObject({
      ...{ code: 'file_awaited', target: 'demand.csv', message: expect.stringMatching(message) },
    })
  })

  it('awaits a manifest that is cut off, and refuses one of another shape', async () => {
    const account = put({ 'demand.csv': DEMAND, 'manifest.json': '{"files": [{"name": "dem' })
    await expect(pages('demand', account)).rejects.toMatchObject({
      ...{ code: 'file_awaited', target: 'manifest.json' },
    })
    for (const text of ['[]', '{"files": [{"name": "demand.csv"}]}', '{"files": [{"size": -1}]}']) {
      put({ 'manifest.json': text }, account)
      await expect(pages('demand', account)).rejects.toMatchObject({ code: 'invalid_manifest' })
    }
    const checks = await adapter.check(connect(account), AbortSignal.timeout(5_000))
    expect(checks.find(({ record }) => record === 'demand')).toMatchObject({
      ...{ status: 'failed', message: expect.stringContaining('manifest.json must be') },
    })
  })
})

describe('a file without a manifest', () => {
  const patient = csvAdapter({ root: () => root, settleSeconds: () => 1.5 })
  const read = (account: string) =>
    readAll(streamOf(patient, connect(account), 'demand'), null) as Promise<{ records: object[] }[]>

  it('is read when nothing was written to it for a while', async () => {
    const account = put({ 'demand.csv': demandFile() })
    const file = path.join(root, account, 'demand.csv')
    const reading = read(account)
    for (let day = 1; day <= 6; day++) {
      await wait(100)
      appendFileSync(file, `A,L1,2025-01-0${day},1\n`)
    }
    expect((await reading)[0]!.records).toHaveLength(6)
  })

  it('costs no wait where it is older, or of a clock that is ahead', async () => {
    const account = put({ 'demand.csv': DEMAND })
    const file = path.join(root, account, 'demand.csv')
    const hour = 3_600
    const now = Date.now() / 1000
    utimesSync(file, now - hour, now - hour)
    const from = performance.now()
    await read(account)
    expect(performance.now() - from).toBeLessThan(1_400)
    utimesSync(file, now + hour, now + hour)
    expect((await read(account))[0]!.records).toHaveLength(2)
  })
})

describe('what a watched folder looks like', () => {
  const signal = () => AbortSignal.timeout(5_000)
  const stateOf = (account: string, options: object = { watch: true }) =>
    adapter.watchedState!(connect(account, { ...options }), signal())

  it('changes with the files that are read, and with nothing else', async () => {
    const account = put({ 'demand.csv': DEMAND, 'notes.txt': 'x' })
    const state = await stateOf(account)
    expect(state).toMatch(/^[0-9a-f]{64}$/)
    put({ 'notes.txt': 'yy' }, account)
    expect(await stateOf(account)).toBe(state)
    put({ 'stock.csv': STOCK }, account)
    expect(await stateOf(account)).not.toBe(state)
    rmSync(path.join(root, account, 'stock.csv'))
    expect(await stateOf(account)).toBe(state)
  })

  it('is told at once where nothing is awaited, of a clock that is ahead too', async () => {
    const account = put({ 'demand.csv': DEMAND })
    const ahead = Date.now() / 1000 + 60
    utimesSync(path.join(root, account, 'demand.csv'), ahead, ahead)
    expect(await stateOf(account)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is not told while something is written, awaited or not to be watched', async () => {
    const account = put({ 'demand.csv': DEMAND })
    const patient = csvAdapter({ root: () => root, settleSeconds: () => 60 })
    expect(await patient.watchedState!(connect(account, { watch: true }), signal())).toBeNull()
    expect(await stateOf(account, {})).toBeNull()
    put({ 'manifest.json': manifestOf({ name: 'demand.csv', size: 1 }) }, account)
    expect(await stateOf(account)).toBeNull()
    put({ 'manifest.json': manifestOf(DEMAND_ENTRY, { name: 'stock.csv', size: 1 }) }, account)
    expect(await stateOf(account)).toBeNull()
    put({ 'stock.csv': 'x' }, account)
    expect(await stateOf(account)).not.toBeNull()
  })
})
