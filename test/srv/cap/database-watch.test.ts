import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseWatch } from '../../../srv/base/database/database-watch.ts'

interface Connection {
  isOpen: boolean
}

/** A server that can be taken away. */
class Server {
  fault: Error | undefined
  hangs = false
  opened: Connection[] = []

  create = async (): Promise<Connection> => {
    if (this.hangs) await new Promise(() => {})
    if (this.fault) throw this.fault
    const connection = { isOpen: true }
    this.opened.push(connection)
    return connection
  }

  destroy = (connection: Connection) => void (connection.isOpen = false)
  breakOff = this.destroy
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const full = () => Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
const never = new Promise<never>(() => {})
const AWAY = expect.objectContaining({ name: 'DatabaseAway' }) as Error

function watched() {
  const server = new Server()
  return { server, watch: new DatabaseWatch<Connection>(server) }
}

/** While nobody asks: the watch itself looks whether the database is back. */
async function back(watch: DatabaseWatch<Connection>) {
  while (watch.isAway) await sleep(50)
}

it('refuses whoever wants or awaits a connection once none can be opened, until one can', async () => {
  const { server, watch } = watched()
  server.fault = refused()
  const waiting = watch.acquire(
    () => never,
    () => {},
  )
  const told = expect(waiting).rejects.toEqual(AWAY)
  await expect(watch.create()).rejects.toThrow('ECONNREFUSED')
  await told
  expect(watch.isAway).toBe(true)
  await expect(watch.acquire(() => watch.create(), server.destroy)).rejects.toEqual(AWAY)
  server.fault = undefined
  await back(watch)
  await expect(watch.acquire(() => watch.create(), server.destroy)).resolves.toMatchObject({
    isOpen: true,
  })
})

it('lets a pool that asks again at once wait until the database is back', async () => {
  const { server, watch } = watched()
  server.fault = refused()
  await watch.create().catch(() => {})
  let isOpen = false
  const opening = watch.create().then(() => (isOpen = true))
  await sleep(200)
  expect(isOpen).toBe(false)
  server.fault = undefined
  await opening
})

it('breaks off statements that a silent server does not answer', async () => {
  const { server, watch } = watched()
  const connection = await watch.create()
  server.hangs = true
  void watch.follow(never)
  while (!watch.isAway) await sleep(50)
  expect(connection.isOpen).toBe(false)
  server.hangs = false
  await back(watch)
})

it.each([
  ['answers others', undefined],
  ['is full of clients', full()],
])('lets a long statement go on where the server %s', async (_what, fault) => {
  const { server, watch } = watched()
  const connection = await watch.create()
  server.fault = fault
  void watch.follow(never)
  await sleep(2_500)
  expect([watch.isAway, connection.isOpen]).toEqual([false, true])
})

it('lets others have their turn though a pool asks for connections without end once it is closed', async () => {
  const { watch } = watched()
  watch.close()
  let isOver = false
  const asking = (async () => {
    while (!isOver) await watch.create().catch(() => {})
  })()
  await sleep(100)
  isOver = true
  await asking
})

it('gives back a connection that came too late', async () => {
  const { server, watch } = watched()
  const late = Promise.withResolvers<Connection>()
  const given: Connection[] = []
  const waiting = watch.acquire(
    () => late.promise,
    (connection) => void given.push(connection),
  )
  server.fault = refused()
  const told = expect(waiting).rejects.toEqual(AWAY)
  await watch.create().catch(() => {})
  await told
  late.resolve({ isOpen: true })
  await sleep(0)
  expect(given).toHaveLength(1)
  server.fault = undefined
  await back(watch)
})

it('lets nobody wait longer than was asked', async () => {
  const { watch } = watched()
  const late = Promise.withResolvers<Connection>()
  const given: Connection[] = []
  const giveBack = (connection: Connection) => void given.push(connection)
  await expect(watch.acquire(() => late.promise, giveBack, 50)).rejects.toEqual(AWAY)
  late.resolve({ isOpen: true })
  await sleep(0)
  expect([watch.isAway, given.length]).toEqual([false, 1])
})
