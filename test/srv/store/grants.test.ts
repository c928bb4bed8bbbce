// The service as a database user of its own, who may not change the audit trail: PostgreSQL alone has such users.
import cds from '@sap/cds'
import type { Database } from '../../../srv/base/cap/facade.ts'
import { AuditLog, Evidence, ProposalEvents } from '../../../srv/base/database/entities.ts'
import { grantToService, REDACT } from '../../../srv/base/database/grants.ts'
import { sealEntries } from '../../../srv/domain/audit/seal.ts'
import { erasePerson } from '../../../srv/domain/privacy/index.ts'
import { verifyTrail } from '../../../srv/domain/audit/verify.ts'
import { writeAuditLog } from '../../../srv/base/database/audit.ts'
import { syncWorker } from '../../../srv/domain/sync/index.ts'
import { startWorkers, stopWorkers } from '../../../srv/base/work/worker.ts'
import { approve } from '../../support/buyer.ts'
import { openShop, type Shop } from '../proposals/shop.ts'

const { DELETE, SELECT, UPDATE } = cds.ql
const USER = 'restock_service'

const { kind, credentials, ...rest } = cds.env.requires.db as unknown as {
  kind: string
  credentials: Record<string, string>
}
const onPostgres = kind === 'postgres' ? describe : describe.skip

onPostgres('the user of the service', () => {
  let owner: typeof cds.db
  let shop: Shop

  beforeAll(async () => {
    await openShop('before', 2)
    owner = cds.db
    // A round under way would go on with connections of both.
    await stopWorkers()
    await owner.run(`DO $$ BEGIN CREATE ROLE ${USER} LOGIN PASSWORD '${USER}';
      EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
    // Twice: after each deployment it is repeated.
    for (let times = 0; times < 2; times++)
      await cds.tx(() => grantToService(owner as unknown as Database, USER))
    const asUser = { ...credentials, user: USER, password: USER }
    cds.env.requires.asUser = { ...rest, kind, credentials: asUser } as never
    cds.db = cds.services.db = (await cds.connect.to('asUser')) as typeof cds.db
    startWorkers([syncWorker])
  })
  afterAll(async () => {
    await (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()
    cds.db = cds.services.db = owner
  })

  it('reads, forecasts, proposes, decides and seals', async () => {
    shop = await openShop('granted', 3)
    await approve(shop.take(), { comment: 'granted' })
    await sealEntries()
    expect(await verifyTrail({})).toMatchObject({ valid: true })
    expect(await SELECT.one.from(AuditLog).where({ seq: null })).toBeFalsy()
  })

  it.each([
    ['an act', () => UPDATE.entity(AuditLog).set({ actor: 'x' }).where({ seq: 1 })],
    ['an event', () => UPDATE.entity(ProposalEvents).set({ quantity: 1 }).where({ version: 1 })],
    ['evidence', () => UPDATE.entity(Evidence).set({ content: '{}' }).where({ version: 2 })],
    ['a time', () => UPDATE.entity(AuditLog).set({ at: '2020-01-01T00:00:00Z' }).where({ seq: 1 })],
    ['no act away', () => DELETE.from(AuditLog)],
    ['no event away', () => DELETE.from(ProposalEvents)],
    ['no evidence away', () => DELETE.from(Evidence)],
  ])('changes no %s', async (_, change) => {
    await expect(cds.tx(change)).rejects.toThrow(/permission denied/)
  })

  it.each([
    'UPDATE AdminService_AuditLog SET actor = NULL',
    'DELETE FROM BuyerService_Events',
    'TRUNCATE restock_AuditLog',
    'ALTER TABLE restock_AuditLog DISABLE ROW LEVEL SECURITY',
    'DROP TABLE restock_AuditLog',
    'CREATE TABLE mine (a int)',
  ])('may not: %s', async (sql) => {
    await expect(cds.tx(() => cds.run(sql))).rejects.toThrow(/permission denied|must be owner/)
  })

  it('erases a person, by a function that replaces an id and nothing else', async () => {
    await sealEntries()
    const admin = new cds.User({ id: 'admin', roles: ['Admin'], attr: {} })
    await cds.tx({ user: admin } as never, () => erasePerson('approver'))
    expect(await SELECT.from(ProposalEvents).where({ actor: 'approver' })).toEqual([])
    expect(await verifyTrail({})).toMatchObject({ valid: true })
    const event = (await SELECT.one.from(ProposalEvents).where({ event: 'created' }))!
    const redact = (actor: string, pseudonym: string) =>
      cds.tx(() =>
        cds.run(REDACT, ['proposal', event.ID, event.actor, pseudonym, JSON.stringify({ actor })]),
      )
    const pseudonym = `erased-${'0'.repeat(16)}`
    await expect(redact('somebody', pseudonym)).rejects.toThrow('more than an id would change')
    await expect(redact('somebody', 'somebody')).rejects.toThrow('not a pseudonym')
    await redact(pseudonym, pseudonym)
    expect((await verifyTrail({})).broken).toMatchObject({ seq: event.seq, problem: 'changed' })
    await owner.run(
      `UPDATE restock_ProposalEvents SET actor = '${event.actor}' WHERE ID = '${event.ID}'`,
    )
  })

  it('gives no sealed entry another place', async () => {
    await cds.tx(() => writeAuditLog('test', 'test', ''))
    const moved: unknown = await cds.tx(() =>
      UPDATE.entity(AuditLog)
        .set({ seq: null, hash: null })
        .where({ seq: { '>': 0 } }),
    )
    expect(moved).toBe(0)
    expect(await verifyTrail({})).toMatchObject({ valid: true })
  })
})
