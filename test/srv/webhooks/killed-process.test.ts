import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import { Instance } from '../../support/instance.ts'
import { isSigned, Receiver, until } from './receiver.ts'

const env = {
  RESTOCK_WEBHOOKS_ALLOW_PRIVATE: 'true',
  RESTOCK_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
}

let receiver: Receiver
/** Those that live. */
const instances: Instance[] = []

const start = async () => {
  const instance = await Instance.start({ env })
  instances.push(instance)
  return instance
}

beforeEach(async () => {
  receiver = await new Receiver().start()
})

afterEach(() => receiver.stop())

afterAll(() => Promise.all(instances.map((instance) => instance.end('SIGKILL'))))

let sources = 0
/** Lets syncs fail, each of which is an event. @returns the syncs */
async function failingSyncs(instance: Instance, many: number): Promise<string[]> {
  const syncs = []
  for (let at = 0; at < many; at++) {
    const account = `killed-${++sources}`
    const folder = path.join(process.env.RESTOCK_CSV_ROOT!, account)
    await mkdir(folder)
    await writeFile(path.join(folder, 'demand.csv'), 'nothing\n')
    const source = await instance.call('POST', '/sources', { type: 'csv', account, role: 'r' })
    const address = `/sources/${source.json.id}/sync` as const
    syncs.push((await instance.call('POST', address, { mode: 'full' })).json.id)
  }
  return syncs
}

const syncOf = ({ body }: { body: string }) =>
  (JSON.parse(body) as { data: { id: string } }).data.id

it('loses nothing to a kill in mid-delivery, and sends again under the same id', async () => {
  // The first calls hang: the instance dies while it waits for their answers.
  receiver.behave = () => {}
  const first = await start()
  const webhook = { url: receiver.url, events: ['sync.failed'] }
  const { secret } = (await first.call('POST', '/webhooks', webhook)).json
  const syncs = await failingSyncs(first, 3)
  await receiver.hears(1)
  await first.end('SIGKILL')
  instances.length = 0
  const before = receiver.heard.splice(0)
  receiver.behave = (response) => response.writeHead(204).end()

  await start()
  // A start may make up for syncs that were missed: they fail as well, and are events of their own.
  await until(() => syncs.every((sync) => receiver.heard.map(syncOf).includes(sync)))
  for (const heard of receiver.heard) expect(isSigned(heard, secret!)).toBe(true)
  for (const { id, body } of before) {
    expect(receiver.heard.filter((again) => again.id === id).map((again) => again.body)).toEqual([
      body,
    ])
  }
})

// SQLite serves one instance: a second one's writes meet a locked file.
const several = cds.env.requires.db.kind === 'sqlite' ? it.skip : it

several('sends each event once from several instances, and stops in order', async () => {
  const [one = await start()] = instances
  const other = await start()
  const webhook = { url: receiver.url, events: ['sync.failed'] }
  await one.call('POST', '/webhooks', webhook)
  const syncs = [...(await failingSyncs(one, 3)), ...(await failingSyncs(other, 3))]
  await until(() => syncs.every((sync) => receiver.heard.map(syncOf).includes(sync)))
  await Promise.all(instances.map((instance) => instance.end()))
  const heard = receiver.heard.map(({ id }) => id)
  expect(new Set(heard).size).toBe(heard.length)
})
