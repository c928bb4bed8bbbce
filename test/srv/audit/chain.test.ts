import cds from '@sap/cds'
import type { AuditHead as Head, ProposalEvent } from '#cds-models/restock'
import {
  AuditHead,
  AuditLog,
  Evidence,
  ProposalEvents,
  type Row,
} from '../../../srv/store/entities.ts'
import type { ServiceEntry, ServiceVerification } from '../../../srv/v1/audit/endpoints.ts'
import type { ServicePage } from '../../../srv/v1/http/page.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from '../proposals/shop.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const EVENTS = ProposalEvents
const HEAD = AuditHead

let shop: Shop
/** The events that the tests tamper with, sealed, in their order. */
let sealed: Row<ProposalEvent>[]
let head: Row<Head>

const audit = async <Answer>(event: string, data: object = {}) =>
  (await cds.connect.to('AuditService')).send<Answer>(event, data)
const verify = (expected: object | null = null) =>
  audit<ServiceVerification>('verify', { expected })
const readHead = async () => (await SELECT.one.from(HEAD).columns('seq', 'hash').where({ ID: 1 }))!
const restore = async (row: Row<ProposalEvent>) => {
  await DELETE.from(EVENTS).where({ ID: row.ID })
  await INSERT.into(EVENTS).entries(row)
}

beforeAll(async () => {
  shop = await openShop('chain', 12)
  for (let count = 0; count < 4; count++) await approve(shop.take(), { comment: `no. ${count}` })
  await proposalsAs({}, 'decline', { ID: shop.take(), reason: 'price' })
  await audit('seal')
  sealed = await SELECT.from(EVENTS).orderBy('seq')
  head = await readHead()
})

describe('the audit trail', () => {
  it('is whole, from its first entry to its head', async () => {
    expect(await verify()).toMatchObject({ valid: true, broken: null, late: 0 })
    const acts = await SELECT.from(AuditLog).columns('seq')
    const all = [...sealed, ...acts].map(({ seq }) => seq!).sort((a, b) => a - b)
    expect(all).toEqual(Array.from({ length: head.seq! }, (_, at) => at + 1))
  })

  it('is listed in its order, page by page', async () => {
    const seen: ServiceEntry[] = []
    for (let after: string | null = null; ;) {
      const page: ServicePage<ServiceEntry> = await audit('list', { after, limit: 5 })
      seen.push(...page.data)
      if (!(after = page.next)) break
    }
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1))
    for (const [at, entry] of seen.entries()) {
      if (at) expect(entry.previousHash).toBe(seen[at - 1]!.hash)
    }
    expect(seen.find(({ detail }) => detail === 'no. 2')).toMatchObject({
      ...{ actor: 'approver', via: 'api', action: 'proposal.approved' },
    })
  })

  it('does not fork where several seal at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => approve(shop.take())))
    await Promise.allSettled(Array.from({ length: 6 }, () => audit('seal')))
    expect(await verify()).toMatchObject({ valid: true })
    sealed = await SELECT.from(EVENTS).orderBy('seq')
    head = await readHead()
  })

  it('goes on from an earlier head', async () => {
    const earlier = sealed[5]!
    expect(await verify({ seq: earlier.seq, hash: earlier.hash })).toMatchObject({ valid: true })
  })
})

describe('tampering shows, with the first entry that is not as it was:', () => {
  afterEach(async () => {
    await UPDATE.entity(HEAD).set(head).where({ ID: 1 })
    expect(await verify()).toMatchObject({ valid: true })
  })
  const at = (index: number) => sealed[index]!
  const tampered = async ({ ID }: Row<ProposalEvent>, set: Partial<Row<ProposalEvent>>) => {
    await UPDATE.entity(EVENTS).set(set).where({ ID })
  }

  it.each([
    ['comment', { comment: 'something else' }],
    ['quantity', { quantity: 1 }],
    ['actor', { actor: 'somebody' }],
    ['time', { at: '2020-01-01T00:00:00.000Z' }],
    ['event', { event: 'rejected' }],
  ])('a changed %s', async (_, set) => {
    const row = at(6)
    await tampered(row, set)
    expect(await verify()).toMatchObject({
      valid: false,
      broken: { seq: row.seq, problem: 'changed', object: `prop_${row.proposal}` },
    })
    await restore(row)
  })

  it('a changed entry with a hash that fits it', async () => {
    const [row, next] = [at(6), at(7)]
    await tampered(row, { comment: 'x', hash: 'f'.repeat(64) })
    expect((await verify()).broken).toMatchObject({ seq: row.seq, problem: 'changed' })
    await restore(row)
    await tampered(next, { previousHash: 'e'.repeat(64) })
    expect((await verify()).broken).toMatchObject({ seq: next.seq, problem: 'changed' })
    await restore(next)
  })

  it('a missing entry', async () => {
    const row = at(4)
    await DELETE.from(EVENTS).where({ ID: row.ID })
    expect((await verify()).broken).toEqual({ seq: row.seq, problem: 'missing', object: null })
    await restore(row)
  })

  it('two entries that changed places', async () => {
    const [a, b] = [at(3), at(5)]
    await tampered(a, { seq: null })
    await tampered(b, { seq: a.seq })
    await tampered(a, { seq: b.seq })
    expect((await verify()).broken).toMatchObject({ seq: a.seq, problem: 'reordered' })
    await tampered(b, { seq: null })
    await restore(a)
    await restore(b)
  })

  it('an entry that was inserted', async () => {
    const row = at(5)
    const ID = '00000000-0000-4000-8000-000000000001'
    await INSERT.into(AuditLog).entries({
      ...{ ID, at: row.at, actor: 'x', action: 'key.issued', object: 'key:x', detail: '' },
      ...{ seq: row.seq, previousHash: row.previousHash, hash: 'a'.repeat(64) },
    })
    expect((await verify()).broken).toMatchObject({ seq: row.seq, problem: 'inserted' })
    await DELETE.from(AuditLog).where({ ID })
  })

  it.each([0, -5, 2_147_483_647])('an entry put in as number %i', async (seq) => {
    const row = at(5)
    const ID = '00000000-0000-4000-8000-000000000002'
    await INSERT.into(EVENTS).entries({ ...row, ID, seq, event: 'approved', evidence: null })
    expect((await verify()).broken).toMatchObject({ seq, problem: 'inserted' })
    await DELETE.from(EVENTS).where({ ID })
  })

  it('an end that was cut off', async () => {
    const last = sealed.at(-1)!
    await DELETE.from(EVENTS).where({ ID: last.ID })
    expect((await verify()).broken).toMatchObject({ problem: 'truncated', seq: last.seq })
    await restore(last)
  })

  it('an end that was cut off together with the head, to whoever kept the head', async () => {
    const last = sealed.at(-1)!
    const before = sealed.find(({ seq }) => seq === last.seq! - 1)!
    await DELETE.from(EVENTS).where({ ID: last.ID })
    await UPDATE.entity(HEAD).set({ seq: before.seq, hash: before.hash }).where({ ID: 1 })
    expect(await verify()).toMatchObject({ valid: true })
    expect((await verify(head)).broken).toMatchObject({ problem: 'head_not_found' })
    await restore(last)
  })

  it('a head that is gone, or names something else', async () => {
    await UPDATE.entity(HEAD)
      .set({ hash: 'b'.repeat(64) })
      .where({ ID: 1 })
    expect((await verify()).broken).toMatchObject({ problem: 'head_changed' })
    await DELETE.from(HEAD)
    await approve(shop.take())
    expect((await verify()).broken).toEqual({ seq: 0, problem: 'head_changed', object: null })
    await INSERT.into(HEAD).entries({ ...head, ID: 1 })
    await audit('seal')
    head = await readHead()
  })

  it('evidence that was changed, or is gone', async () => {
    const row = sealed.find(({ evidence }) => evidence)!
    const where = { event: row.ID }
    const kept = await SELECT.one.from(Evidence).where(where)
    await UPDATE.entity(Evidence)
      .set({ content: kept!.content!.replace('"quantity":', '"quantity":1') })
      .where(where)
    expect((await verify()).broken).toMatchObject({ seq: row.seq, problem: 'evidence_changed' })
    await DELETE.from(Evidence).where(where)
    expect((await verify()).broken).toMatchObject({ seq: row.seq, problem: 'evidence_missing' })
    await INSERT.into(Evidence).entries(kept!)
  })
})

it('reports an entry that is dated before what was sealed earlier', async () => {
  await INSERT.into(AuditLog).entries({
    ...{ ID: '00000000-0000-4000-8000-000000000002', at: '2020-01-01T00:00:00.000Z' },
    ...{ actor: 'x', via: 'api', action: 'key.issued', object: 'key:x', detail: '' },
  })
  expect(await verify()).toMatchObject({ valid: true, late: 1 })
})

it('no service changes or deletes an entry', () => {
  for (const name of ['restock.ProposalEvents', 'restock.AuditLog', 'restock.Evidence']) {
    const exposed = Object.values(cds.model!.definitions).filter((definition) => {
      const { query } = definition as { query?: unknown }
      return query && JSON.stringify(query).includes(`"${name}"`)
    })
    for (const definition of exposed) {
      const { name, ...rest } = definition as { name: string; '@readonly'?: boolean }
      expect([name, rest['@readonly']]).toEqual([name, true])
    }
  }
})
