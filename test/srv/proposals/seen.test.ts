// What was seen is what is decided: the terms of a proposal, the version of them that a person was shown.
import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import {
  changesSince,
  formerTermsAfter,
  type TermColumns,
} from '../../../srv/domain/proposals/stored/terms.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from './shop.ts'

const { SELECT, UPDATE } = cds.ql

const SHOWN = {
  ...{ quantity: 60, value: '180.00', currency: 'EUR', supplier: 'S-1', orderBy: '2026-11-24' },
  exceptions: ['stale_data'],
}

/** The row after these changes, each its own version. */
function after(...changes: TermColumns[]) {
  let row = { ...SHOWN, version: 1, formerTerms: null as string | null }
  for (const columns of changes) {
    const formerTerms = formerTermsAfter(row, columns)
    row = { ...row, ...(columns as object), formerTerms, version: row.version + 1 }
  }
  return row
}

describe('the terms of a proposal', () => {
  it.each<[TermColumns, object[]]>([
    [{ quantity: 210 }, [{ term: 'quantity', was: 60, now: 210 }]],
    [{ value: 252 }, [{ term: 'value', was: '180.00', now: '252.00' }]],
    [{ supplier: 'S-2' }, [{ term: 'supplier', was: 'S-1', now: 'S-2' }]],
    [{ currency: 'USD' }, [{ term: 'currency', was: 'EUR', now: 'USD' }]],
    [{ orderBy: null }, [{ term: 'orderBy', was: '2026-11-24', now: null }]],
    [{ exceptions: null }, [{ term: 'exceptions', was: ['stale_data'], now: [] }]],
    [{ quantity: '60', value: 180, exceptions: ['stale_data'] }, []],
  ])('after %j', (columns, changes) => {
    expect(changesSince(after(columns), 1)).toEqual(changes)
  })

  it('are compared with those of the version that was shown, not with the last ones', () => {
    const row = after({ quantity: 100 }, {}, { quantity: 210 })
    expect(changesSince(row, 1)).toMatchObject([{ was: 60, now: 210 }])
    expect(changesSince(row, 2)).toMatchObject([{ was: 100, now: 210 }])
    expect(changesSince(row, 3)).toMatchObject([{ was: 100, now: 210 }])
    expect(changesSince(row, 4)).toEqual([])
    expect(changesSince(after({ quantity: 210 }, { quantity: 60 }), 1)).toEqual([])
  })

  it('are unknown of a version that is not there, or too old', () => {
    expect(changesSince(after(), 2)).toBeNull()
    const many = after(...Array.from({ length: 30 }, (_, at) => ({ quantity: at })))
    expect(changesSince(many, 3)).toBeNull()
    expect(changesSince(many, 30)).toMatchObject([{ was: 28, now: 29 }])
    expect(JSON.parse(many.formerTerms!)).toHaveLength(10)
  })
})

describe('a decision about what a sync has moved since', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop('seen', 12)
  })

  const rowOf = async (ID: number) => (await SELECT.one.from(Proposals).where({ ID }))!

  it('is refused with both numbers, whichever decision it is', async () => {
    const ID = shop.take()
    const before = await rowOf(ID)
    await shop.count(0)
    const now = await rowOf(ID)
    expect(Number(now.quantity)).toBeGreaterThan(Number(before.quantity))
    const moved = {
      code: 'version_mismatch',
      options: {
        members: {
          changes: expect.arrayContaining([
            { term: 'quantity', was: Number(before.quantity), now: Number(now.quantity) },
          ]),
        },
      },
    }
    const seenVersion = before.version!
    const until = '2099-01-01T00:00:00Z'
    await expect(approve(ID, { seenVersion })).rejects.toMatchObject(moved)
    await expect(proposalsAs({}, 'decline', { ID, seenVersion })).rejects.toMatchObject(moved)
    await expect(proposalsAs({}, 'snooze', { ID, seenVersion, until })).rejects.toMatchObject(moved)
    expect(await shop.historyOf(ID)).toEqual(['created', 'updated'])
    expect(await approve(ID, { seenVersion: now.version })).toMatchObject({ status: 'approved' })
    const cancel = { ID, seenVersion, reason: 'other' }
    await expect(proposalsAs({}, 'cancel', cancel)).rejects.toMatchObject(moved)
  })

  it('holds where a later version has the same terms', async () => {
    const ID = shop.take()
    const { version } = await rowOf(ID)
    await UPDATE.entity(Proposals)
      .set({ version: { '+=': 1 }, rationale: 'Told otherwise.' })
      .where({ ID })
    await expect(approve(ID, { expectedVersion: version })).rejects.toMatchObject({
      code: 'version_mismatch',
    })
    expect(await approve(ID, { seenVersion: version })).toMatchObject({ status: 'approved' })
  })

  it('is no approval of what somebody else approved in other numbers', async () => {
    const ID = shop.take()
    const { version, quantity } = await rowOf(ID)
    await approve(ID, { quantity: Number(quantity) + 10 })
    await expect(
      proposalsAs({ id: 'buyer' }, 'approve', { ID, seenVersion: version }),
    ).rejects.toMatchObject({ code: 'proposal_already_decided' })
    const other = shop.take()
    const seenVersion = (await rowOf(other)).version
    await approve(other, { seenVersion })
    expect(await approve(other, { seenVersion })).toMatchObject({ status: 'approved' })
    expect(await shop.historyOf(other)).toEqual(expect.arrayContaining(['approved']))
  })

  it('at the same moment as a sync and another decision, is made of what was seen, or refused', async () => {
    for (const onHand of [21, 13, 4]) {
      const ID = shop.take()
      const { version: seenVersion, quantity } = await rowOf(ID)
      const outcomes = await Promise.allSettled([
        approve(ID, { seenVersion }),
        shop.count(onHand),
        proposalsAs({ id: 'buyer' }, 'decline', { ID, seenVersion }),
      ])
      for (const { reason } of outcomes.filter((each) => each.status === 'rejected')) {
        expect(['proposal_already_decided', 'version_mismatch', 'proposal_stale']).toContain(
          (reason as { code: string }).code,
        )
      }
      const decisions = (await shop.historyOf(ID)).filter((each) =>
        ['approved', 'rejected'].includes(each),
      )
      expect(decisions.length).toBeLessThanOrEqual(1)
      const row = await rowOf(ID)
      if (row.status === 'approved') expect(row.quantity).toBe(quantity)
    }
  })
})
