// What is stored of a person is exported and erased, and the chain of the audit trail still verifies.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'
import { personTables } from '../../../srv/domain/privacy/index.ts'
import {
  type AnyEntity,
  AuditLog,
  AuditRedactions,
  Delegations,
  Evidence,
  ProposalEvents,
  Users,
} from '../../../srv/base/database/entities.ts'
import { sealNow, verifyNow as verify } from '../../../srv/domain/audit/index.ts'
import { approve } from '../../support/buyer.ts'
import { act, errorOf, get } from '../admin/admin.ts'
import { openShop } from '../proposals/shop.ts'

const { SELECT, UPDATE } = cds.ql

/** All that the database holds, as one text. */
async function everything() {
  const tables = Object.values(cds.model!.definitions as Record<string, { name: string }>).filter(
    (each) =>
      each.name.startsWith('restock.') &&
      (each as { kind?: string }).kind === 'entity' &&
      !(each as { query?: unknown }).query,
  )
  const rows = []
  for (const { name } of tables) rows.push(name, ...(await SELECT.from(name as AnyEntity)))
  return JSON.stringify(rows)
}

const PERSON = 'approver'

beforeAll(async () => {
  const shop = await openShop('privacy', 4)
  for (let times = 0; times < 3; times++) {
    await approve(shop.take(), { comment: `as approver said, ${times}; not approvers` })
  }
  await act('Delegations/delegate', {
    ...{ fromUser: PERSON, toUser: 'buyer' },
    ...{ validFrom: new Date().toISOString(), validTo: '2999-01-01T00:00:00.000Z' },
  })
  await get('Approvers')
  await sealNow()
})

it('exports what is stored of somebody', async () => {
  const { json } = await act('exportPerson' as never, { user: PERSON })
  const found = JSON.parse((json as { value: string }).value) as Record<string, unknown[]>
  expect(found).toMatchObject({
    user: PERSON,
    Users: [{ ID: PERSON }],
    ProposalEvents: [{ actor: PERSON }, { actor: PERSON }, { actor: PERSON }],
    Delegations: [{ fromUser: PERSON }],
  })
})

it.each([
  [{ user: 'nobody' }, 404],
  [{ user: 'system' }, 400],
  [{ user: 'admin' }, 400],
  [{ user: '' }, 400],
])('does not erase %j', async (body, status) => {
  expect(errorOf(await act('erasePerson' as never, body))).toMatchObject({ status })
})

it('is for administrators', async () => {
  for (const action of ['exportPerson', 'erasePerson']) {
    expect((await act(action as never, { user: PERSON }, 'auditor')).status).toBe(403)
  }
})

describe('an erased person', () => {
  let pseudonym: string

  beforeAll(async () => {
    const answer = await act('erasePerson' as never, { user: PERSON })
    expect(answer.status).toBe(200)
    pseudonym = (answer.json as { pseudonym: string }).pseudonym
    expect(pseudonym).toMatch(/^erased-[0-9a-f]{16}$/)
  })

  it('stands nowhere any more', async () => {
    const all = await everything()
    // As a value, in JSON within a value, and in the name of an object; `approver` is the name of an element too.
    const found = [...all.matchAll(/.{20}(?:"approver\\?"(?!:)|user:approver\b).{20}/g)]
    expect(found.map(([text]) => text)).toEqual([])
    expect(await SELECT.one.from(Users).where({ ID: PERSON })).toBeFalsy()
    expect(await SELECT.from(Delegations)).toMatchObject([{ fromUser: pseudonym }])
  })

  it('is a pseudonym in history and evidence, and the chain is whole', async () => {
    const events = await SELECT.from(ProposalEvents).where({ event: 'approved' })
    expect(events).toHaveLength(3)
    for (const { actor, comment } of events) {
      expect(actor).toBe(pseudonym)
      expect(comment).toMatch(new RegExp(`^as ${pseudonym} said, \\d; not approvers$`))
    }
    const [evidence] = await SELECT.from(Evidence)
    expect(JSON.parse(evidence!.content!)).toMatchObject({ by: pseudonym })
    expect(await verify()).toMatchObject({ valid: true, broken: null })
    const erased = await SELECT.one.from(AuditLog).where({ action: 'person.erased' })
    expect(erased).toMatchObject({ actor: 'admin', object: `user:${pseudonym}` })
  })

  it('is no way to change entries unseen', async () => {
    const event = (await SELECT.one.from(ProposalEvents).where({ event: 'approved' }))!
    const set = (row: object) => UPDATE.entity(ProposalEvents).set(row).where({ ID: event.ID })
    for (const change of [{ actor: 'somebody' }, { quantity: 1 }, { comment: null }]) {
      await set(change)
      expect((await verify()).broken).toMatchObject({ seq: event.seq, problem: 'changed' })
      await set({ actor: event.actor, quantity: event.quantity, comment: event.comment })
    }
    const mac = '0'.repeat(64)
    const kept = await SELECT.from(AuditRedactions).where({ entry: event.ID })
    await UPDATE.entity(AuditRedactions).set({ mac }).where({ entry: event.ID })
    expect((await verify()).broken).toMatchObject({ seq: event.seq, problem: 'changed' })
    for (const { ID, mac } of kept) await UPDATE.entity(AuditRedactions).set({ mac }).where({ ID })
    expect((await verify()).valid).toBe(true)
  })

  it('does not cover up what somebody else has changed', async () => {
    const event = (await SELECT.one.from(ProposalEvents).where({ event: 'created' }))!
    await UPDATE.entity(ProposalEvents).set({ actor: 'viewer' }).where({ ID: event.ID })
    const { status } = await act('erasePerson' as never, { user: 'viewer' })
    expect(status).toBe(500)
    expect((await verify()).broken).toMatchObject({ seq: event.seq, problem: 'changed' })
    await UPDATE.entity(ProposalEvents).set({ actor: event.actor }).where({ ID: event.ID })
    expect((await verify()).valid).toBe(true)
  })

  it('may be erased again, though rows name two who were', async () => {
    expect((await act('erasePerson' as never, { user: 'buyer' })).status).toBe(200)
    expect(await verify()).toMatchObject({ valid: true })
    expect((await everything()).match(/.{20}"buyer\\?"(?!:)/g)).toBeNull()
  })
})

describe('the model', () => {
  const definitions = () =>
    Object.entries(cds.model!.definitions as Record<string, Definition>).filter(
      ([name, { kind, query }]) => kind === 'entity' && !query && name.startsWith('restock.'),
    )
  interface Definition {
    kind?: string
    query?: unknown
    elements?: Record<string, { type?: string }>
  }

  it('says of every element that holds a person’s id that it does', () => {
    const named =
      /(?<!(?:order|matched|needed|superseded))By$|[uU]ser$|^actor$|^author$|^actsAs$|pprover(For)?$|^processor$|^holder$|^onBehalfOf$/
    const known = new Map(
      personTables().map(({ entity, own, users }) => [entity, [...own, ...users]]),
    )
    const missing = definitions().flatMap(([entity, { elements = {} }]) =>
      Object.entries(elements)
        .filter(([name, { type }]) => type === 'cds.String' && named.test(name))
        .filter(([name]) => !known.get(entity)?.includes(name))
        .map(([name]) => `${entity}.${name}`),
    )
    expect(missing).toEqual([])
  })

  it('stands in the table of the guide, with how long each is kept', () => {
    const guide = readFileSync(path.join(cds.root, 'docs/guides/personal-data.md'), 'utf8')
    const rows = [...guide.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)]
    const documented = rows.map(([, entity, elements]) => [
      `restock.${entity}`,
      [...elements!.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    ])
    for (const [, , , kept] of rows) expect(kept).toMatch(/\S/)
    const expected = Object.entries(cds.model!.definitions as Record<string, Annotated>)
      .filter(([name, { query }]) => name.startsWith('restock.') && !query)
      .filter(([, definition]) => definition['@PersonalData.EntitySemantics'])
      .map(([name, { elements = {} }]) => [
        name,
        Object.entries(elements)
          .filter(([, element]) =>
            Object.keys(element).some((key) => key.startsWith('@PersonalData')),
          )
          .map(([element]) => element)
          .sort(),
      ])
    const byName = (rows: unknown[][]) =>
      rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    expect(byName(documented)).toEqual(byName(expected))
  })

  interface Annotated {
    query?: unknown
    elements?: Record<string, object>
    '@PersonalData.EntitySemantics'?: string
  }
})
