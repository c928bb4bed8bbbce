import cds from '@sap/cds'
import { Counters } from '../../../srv/base/database/entities.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import '../../support/server.ts'

const { DELETE, INSERT, SELECT } = cds.ql

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
