import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import ssh2 from 'ssh2'
import type { Connection, Credentials, Page } from '../../../adapters/adapter.ts'
import { csvAdapter } from '../../../adapters/csv/index.ts'
import { Fatal } from '../../../adapters/errors.ts'
import { readAll, streamOf } from '../../conformance/adapter.ts'
import { demandFile } from './files.ts'
import { type RemoteFile, startSftp } from './sftp-server.ts'

const USER = { name: 'restock', password: 'a long password' }
const LONG_AGO = 1_700_000_000
const MANY = demandFile(...Array.from({ length: 20_000 }, (_, at) => `S${at},L1,2025-01-01,1`))
const adapter = csvAdapter({ root: () => '/nowhere', settleSeconds: () => 0.2 })

const files = new Map<string, RemoteFile>()
const put = (name: string, text: string, changedAt = LONG_AGO) =>
  files.set(`/out/north/${name}`, { text, changedAt })

let server: Awaited<ReturnType<typeof startSftp>>
const temporary = mkdtempSync(path.join(os.tmpdir(), 'restock-sftp-test-'))
const before = process.env.TMPDIR
beforeAll(async () => {
  server = await startSftp(files, USER)
  process.env.TMPDIR = temporary
})
afterAll(async () => {
  process.env.TMPDIR = before ?? ''
  await server.close()
  rmSync(temporary, { recursive: true })
})
beforeEach(() => {
  files.clear()
  server.log.length = 0
})

function credentialsOf(secret: string): Credentials {
  const header = `Basic ${Buffer.from(`${USER.name}:${secret}`).toString('base64')}`
  return {
    async authorization(refused) {
      if (refused === header) throw new Fatal('reconsent_required', 'refused')
      return header
    },
  }
}

const connect = (options: object = {}, secret = USER.password): Connection => ({
  ...{ account: '/out/north', role: 'reader', baseUrl: null },
  options: { host: '127.0.0.1', port: server.port, host_key: server.fingerprint, ...options },
  credentials: credentialsOf(secret),
})
const read = (connection: Connection, since: string | null = null) =>
  readAll(streamOf(adapter, connection, 'demand'), since) as Promise<Page<'demand'>[]>
const reads = () => server.log.filter((line) => line.startsWith('OPEN '))

it('reads all files through one connection, by verbs that read, and leaves nothing behind', async () => {
  put('demand.csv', MANY)
  put('stock.csv', 'sku,location,on_hand\nS1,L1,5\n')
  const connection = connect()
  const streams = adapter.streams(connection)
  const all = (await Promise.all(streams.map((stream) => readAll(stream, null)))).flat()
  expect(all.flatMap(({ records }) => records)).toHaveLength(20_001)
  expect(server.log.filter((line) => line.startsWith('auth'))).toEqual([
    ...['auth none', 'auth password'],
  ])
  expect(reads().sort()).toEqual([
    ...['OPEN read /out/north/demand.csv', 'OPEN read /out/north/stock.csv'],
  ])
  expect(server.log.filter((line) => line.includes('WRITE'))).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

it('fetches a file again only when its size or time has changed', async () => {
  put('demand.csv', demandFile('A,L1,2025-01-01,1'))
  const [{ cursor }] = (await read(connect())) as [Page<'demand'>]
  server.log.length = 0
  expect(await read(connect(), cursor)).toEqual([])
  expect(reads()).toEqual([])
  put('demand.csv', demandFile('A,L1,2025-01-01,2'), LONG_AGO + 60)
  expect((await read(connect(), cursor))[0]!.records).toMatchObject([{ quantity: 2 }])
})

it('heeds a manifest, and a file that is still written', async () => {
  put('demand.csv', MANY.slice(0, 1_000))
  put('manifest.json', JSON.stringify({ files: [{ name: 'demand.csv', size: MANY.length }] }))
  await expect(read(connect())).rejects.toMatchObject({ code: 'file_awaited' })
  files.delete('/out/north/manifest.json')
  put('demand.csv', demandFile('A,L1,2025-01-01,1'), Math.ceil(Date.now() / 1000))
  const reading = read(connect())
  put('demand.csv', demandFile('A,L1,2025-01-01,1', 'A,L1,2025-01-02,1'))
  expect((await reading)[0]!.records).toHaveLength(2)
})

it('takes a private key', async () => {
  put('demand.csv', demandFile('A,L1,2025-01-01,1'))
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const parsed = ssh2.utils.parseKey(privateKey) as ssh2.ParsedKey
  const publicKey = `ssh-rsa ${parsed.getPublicSSH().toString('base64')}`
  const other = await startSftp(files, { name: USER.name, publicKey })
  const options = { port: other.port, host_key: other.fingerprint }
  expect((await read(connect(options, privateKey)))[0]!.records).toHaveLength(1)
  await other.close()
  await expect(
    read(connect({}, '-----BEGIN PRIVATE KEY-----\nrubbish\n-----END PRIVATE KEY-----\n')),
  ).rejects.toMatchObject({ code: 'invalid_private_key' })
})

it('sends nothing to a server of another key', async () => {
  const foreign = `SHA256:${'A'.repeat(43)}`
  await expect(read(connect({ host_key: foreign }))).rejects.toMatchObject({
    ...{ code: 'host_key_mismatch', target: 'options.host_key' },
    message: expect.stringContaining(server.fingerprint),
  })
  expect(server.log).toEqual([])
  put('demand.csv', MANY)
  const both = `${foreign}, ${server.fingerprint}`
  expect(await read(connect({ host_key: both }))).not.toHaveLength(0)
})

it('tells a wrong password, a missing folder and a server that is away', async () => {
  await expect(read(connect({}, 'guess'))).rejects.toMatchObject({ code: 'reconsent_required' })
  expect(server.log.filter((line) => line === 'auth password')).toHaveLength(1)
  await expect(read(connect())).rejects.toMatchObject({ code: 'folder_not_found' })
  await expect(read(connect({ port: 1 }))).rejects.toMatchObject({ name: 'Retriable' })
})

it('ends with its signal, and closes its connection', async () => {
  put('demand.csv', MANY)
  const abort = new AbortController()
  const stream = streamOf(adapter, connect(), 'demand')
  const reading = stream.read(null, abort.signal)[Symbol.asyncIterator]().next()
  setTimeout(() => abort.abort(new Error('enough')), 30)
  await reading.catch((error: Error) => expect(error.message).toBe('enough'))
  const until = Date.now() + 5_000
  while (server.connections() && Date.now() < until) await wait(100)
  expect(server.connections()).toBe(0)
})

it.each([
  [{ host: 'erp' }, 'host_key', /is needed with host/],
  [{ host_key: `SHA256:${'A'.repeat(43)}` }, 'host', /is needed with host_key/],
  [{ port: 22 }, 'host', /is needed with port/],
  [{ host: 'erp', host_key: 'aa:bb' }, 'host_key', /SHA256/],
  [{ host: 'erp', host_key: `SHA256:${'A'.repeat(43)}`, watch: true }, 'watch', /on this machine/],
])('refuses the options %j', (options, field, message) => {
  const { error } = adapter.options.strict().safeParse(options)
  expect(error!.issues[0]).toMatchObject({
    ...{ path: [field], message: expect.stringMatching(message) },
  })
})
