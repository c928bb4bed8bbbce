import cds from '@sap/cds'
import type { AuditHead as Head, ProposalEvent } from '#cds-models/restock'
import {
  AuditHead,
  AuditLog,
  Evidence,
  ProposalEvents,
  Proposals,
  type Row,
} from '../../../srv/base/database/entities.ts'
import {
  type ListedEntry,
  listTrail,
  readAlarms,
  sealNow,
  verifyNow,
} from '../../../srv/domain/audit/index.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from '../proposals/shop.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const EVENTS = ProposalEvents
const HEAD = AuditHead

let shop: Shop
/** The events that the tests tamper with, sealed, in their order. */
let sealed: Row<ProposalEvent>[]
let head: Row<Head>

type Place = Pick<Row<Head>, 'seq' | 'hash'>
const placeOf = ({ seq, hash }: Place) => ({ seq: seq!, hash: hash! })
const verify = (expected: Place | null = null, rest: object = {}) =>
  verifyNow({ expected: expected && placeOf(expected), ...rest })
const readHead = async () => (await SELECT.one.from(HEAD).where({ ID: 1 }))!
const restore = async (row: Row<ProposalEvent>) => {
  await DELETE.from(EVENTS).where({ ID: row.ID })
  await INSERT.into(EVENTS).entries(row)
}

beforeAll(async () => {
  shop = await openShop('chain', 13)
  for (let count = 0; count < 4; count++) await approve(shop.take(), { comment: `no. ${count}` })
  await proposalsAs({}, 'decline', { ID: shop.take(), reason: 'price' })
  await sealNow()
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
    const seen: ListedEntry[] = []
    for (let after: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof listTrail>> = await cds.tx(() =>
        listTrail({ after, limit: 5 }),
      )
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
    await Promise.allSettled(Array.from({ length: 6 }, () => sealNow()))
    expect(await verify()).toMatchObject({ valid: true })
    sealed = await SELECT.from(EVENTS).orderBy('seq')
    head = await readHead()
  })

  it('goes on from an earlier head', async () => {
    const earlier = sealed[5]!
    expect(await verify(earlier)).toMatchObject({ valid: true })
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

  /** Cuts off the last entry. @returns the one before it, and what puts the last one back */
  const cut = async () => {
    const last = sealed.at(-1)!
    const before = sealed.find(({ seq }) => seq === last.seq! - 1)!
    await DELETE.from(EVENTS).where({ ID: last.ID })
    return { before, undo: () => restore(last) }
  }

  it('an end that was cut off together with the head', async () => {
    const { before, undo } = await cut()
    const { seq, hash } = before
    await UPDATE.entity(HEAD).set({ seq, hash }).where({ ID: 1 })
    expect(await verify()).toMatchObject({ valid: false, broken: { seq, problem: 'head_changed' } })
    await approve(shop.take())
    await expect(sealNow()).rejects.toThrow('Nothing is sealed')
    await UPDATE.entity(HEAD).set({ seal: null, sealKey: null }).where({ ID: 1 })
    expect((await verify()).broken).toMatchObject({ seq, problem: 'head_changed' })
    await undo()
    await UPDATE.entity(HEAD).set(head).where({ ID: 1 })
    await sealNow()
    sealed = await SELECT.from(EVENTS).orderBy('seq')
    head = await readHead()
  })

  it('an end that was cut off, with a head that was there once', async () => {
    const former = head
    await approve(shop.take())
    await sealNow()
    const [last] = await SELECT.from(EVENTS).orderBy('seq desc').limit(1)
    head = await readHead()
    await DELETE.from(EVENTS).where({ ID: last!.ID })
    await UPDATE.entity(HEAD).set(former).where({ ID: 1 })
    expect((await verify()).broken).toEqual({
      ...{ seq: former.seq, problem: 'truncated', object: null },
    })
    expect((await verify(head)).broken).toMatchObject({ problem: 'truncated' })
    await restore(last!)
    sealed = await SELECT.from(EVENTS).orderBy('seq')
  })

  it('a head whose key is another', async () => {
    const sealKey = head.sealKey!.replace(/^./, (first) => (first === '0' ? '1' : '0'))
    await UPDATE.entity(HEAD).set({ sealKey }).where({ ID: 1 })
    expect((await verify()).broken).toMatchObject({ problem: 'head_key_unknown' })
  })

  it('a head that is gone, or names something else', async () => {
    await UPDATE.entity(HEAD)
      .set({ hash: 'b'.repeat(64) })
      .where({ ID: 1 })
    expect((await verify()).broken).toMatchObject({ problem: 'head_changed' })
    await DELETE.from(HEAD)
    await approve(shop.take())
    expect((await verify()).broken).toEqual({ seq: 0, problem: 'head_changed', object: null })
    await INSERT.into(HEAD).entries(head)
    await sealNow()
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

describe('a proposal that does not stand as its events say shows:', () => {
  let ID: number
  beforeAll(async () => {
    ID = shop.take()
    await approve(ID)
  })

  it.each([
    ['another status', { status: 'rejected' }],
    ['one from before its decision', { status: 'pending', version: 1 }],
    ['one that no event led to', { status: 'superseded', version: 3 }],
    ['another quantity', { quantity: 1 }],
  ] as const)('%s', async (_, set) => {
    const row = (await SELECT.one.from(Proposals).where({ ID }))!
    await UPDATE.entity(Proposals).set(set).where({ ID })
    const object = `prop_${ID}`
    const { broken } = await verify()
    expect(broken).toEqual({ seq: 0, problem: 'proposal_changed', object })
    expect(await readAlarms()).toMatchObject([{ key: 'trail_proposal', object }])
    const { status, version, quantity } = row
    await UPDATE.entity(Proposals).set({ status, version, quantity }).where({ ID })
    expect(await verify()).toMatchObject({ valid: true })
  })

  it('one that is gone', async () => {
    const row = (await SELECT.one.from(Proposals).where({ ID }))!
    await DELETE.from(Proposals).where({ ID })
    expect((await verify()).broken).toMatchObject({ problem: 'proposal_missing' })
    await INSERT.into(Proposals).entries(row)
    expect(await verify()).toMatchObject({ valid: true })
  })
})

describe('in pieces', () => {
  it('goes on where the piece before ended, and finds the same', async () => {
    const whole = await verify()
    const seen = []
    for (let from: object | null = null; ;) {
      const { valid, entries, next } = await verify(null, { from, limit: 7 })
      expect(valid).toBe(true)
      seen.push(entries)
      if (!(from = next)) break
    }
    expect(seen.at(-1)).toBe(whole.entries)
    expect(seen.slice(0, 2)).toEqual([7, 14])
  })

  it('finds what is broken in its piece, a wrong place and a wrong head', async () => {
    const row = sealed[6]!
    await UPDATE.entity(EVENTS).set({ quantity: 1 }).where({ ID: row.ID })
    const before = { seq: row.seq! - 1, hash: row.previousHash }
    expect((await verify(null, { from: before, limit: 1 })).broken).toMatchObject({ seq: row.seq })
    const here = { seq: row.seq, hash: row.hash }
    expect(await verify(null, { from: here })).toMatchObject({ valid: true, next: null })
    await restore(row)
    const wrong = { seq: row.seq, hash: 'a'.repeat(64) }
    for (const problem of [verify(null, { from: wrong }), verify(wrong, { from: placeOf(head) })]) {
      expect((await problem).broken).toMatchObject({ seq: row.seq, problem: 'head_not_found' })
    }
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
