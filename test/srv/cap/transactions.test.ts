import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { Counters } from '../../../srv/base/database/entities.ts'
import { driverConnection, prepareStatement } from '../../../srv/base/cap/connection.ts'
import { inTransaction, runDetached } from '../../../srv/base/cap/context.ts'
import '../../support/server.ts'

const { DELETE, INSERT, SELECT } = cds.ql

interface Client {
  query(sql: string): Promise<{ rows: { n: unknown }[] }>
}

const COUNT = "SELECT count(*) AS n FROM restock_Counters WHERE name = 'connection test'"

async function count() {
  if (cds.db.kind === 'sqlite') {
    return Number(prepareStatement(await driverConnection<DatabaseSync>(), COUNT).get()!.n)
  }
  const { rows } = await (await driverConnection<Client>()).query(COUNT)
  return Number(rows[0]!.n)
}

const undo = new Error('undo')

it("the driver's connection is that of the transaction: it sees what is not committed", async () => {
  const counted: number[] = []
  const work = cds.tx(async () => {
    await INSERT.into(Counters).entries({ name: 'connection test', next: 1 })
    counted.push(await inTransaction(count))
    throw undo
  })
  await expect(work).rejects.toBe(undo)
  expect(counted).toEqual([1])
  expect(await inTransaction(count)).toBe(0)
})

it('without a transaction the work gets one of its own, which ends with it', async () => {
  const id = randomUUID()
  cds.context = { id } as never
  expect(await inTransaction(count)).toBe(0)
  expect(await SELECT.from(Counters).where({ name: id })).toEqual([])
})

const row = { name: 'context test' }

it('detached work has its own id and the system as its user, and leaves the caller his', async () => {
  cds.context = { id: 'caller' } as never
  const seen = await runDetached('work', async () => ({
    id: cds.context!.id,
    user: cds.context!.user.id,
    transaction: (cds.context as { tx?: unknown }).tx,
  }))
  expect(seen).toEqual({ id: 'work', user: 'system', transaction: undefined })
  expect(cds.context!.id).toBe('caller')
})

it('each of its statements commits by itself', async () => {
  const failed = runDetached('work', async () => {
    await INSERT.into(Counters).entries(row)
    throw new Error('too late')
  })
  await expect(failed).rejects.toThrow('too late')
  const { name } = row
  expect(await SELECT.one.from(Counters).where({ name })).toMatchObject(row)
  await DELETE.from(Counters).where({ name })
})
