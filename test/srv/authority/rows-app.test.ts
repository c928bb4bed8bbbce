// One buyer, two locations: what the buyer's app tells of the other one. Nothing, at any of its addresses.
import cds from '@sap/cds'
import { randomUUID } from 'node:crypto'
import { ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { odata, read } from '../buyer/odata.ts'
import { entitiesOf, listPaths, rowPaths, someFor } from './odata-paths.ts'
import { type Bound, BOUND, leaksIn, openTwoLocations, type TwoLocations } from './two-locations.ts'

const { SELECT } = cds.ql

let two: TwoLocations

beforeAll(async () => void (two = await openTwoLocations()))

/** A key of each entity that a bound person must not see, and one that nobody has. */
async function unseenKeys({ id, rows }: Bound): Promise<Record<string, [string, string]>> {
  const other = id === 'grouped' ? 'ALIEN' : 'FAR'
  const place = id === 'grouped' ? 'ALIEN' : 'FARAWAY'
  const at = id === 'grouped' ? 900_003 : 900_002
  const ID = two.unseen(rows)[0]!
  const decided = await SELECT.one.from(Proposals).where({ sku: `${other}-0`, status: 'approved' })
  const event = await SELECT.one.from(ProposalEvents).where({ proposal: ID })
  return {
    Proposals: [String(ID), '99999999'],
    Decisions: [String(decided!.ID), '99999999'],
    Exceptions: [String(at), '99999999'],
    Blocked: [`series=${at},missing='cost'`, `series=99999999,missing='cost'`],
    Events: [event!.ID, randomUUID()],
    FormulaLines: [`proposal=${ID},line=1`, 'proposal=99999999,line=1'],
    Skus: [`'${other}-0'`, `'NONE'`],
    Locations: [`'${place}'`, `'NONE'`],
    Suppliers: [`'${other}-S'`, `'NONE'`],
  }
}

/** What an answer says, without the number that was asked for. */
const sayingOf = ({ status, text }: { status: number; text: string }) => ({
  ...{ status, text: text.replaceAll(/prop_\d+/g, '#') },
})

describe.each(BOUND)('$id', (bound) => {
  const { id: as, rows } = bound

  it('reads nothing of the rest in any list, sum or value help', async () => {
    for (const [name, entity] of entitiesOf('BuyerService')) {
      for (const path of someFor(BOUND.indexOf(bound), listPaths(name, entity))) {
        const { status, text } = await read(path, { as })
        expect({ path, leaks: leaksIn(text, bound) }).toEqual({ path, leaks: [] })
        expect({ path, isFault: status >= 500 && status !== 501 }).toEqual({ path, isFault: false })
      }
    }
  })

  it('counts nothing of the rest', async () => {
    const own = two.seen(rows).length
    const counts = {
      'Proposals/$count': String(own),
      'Decisions/$count': '4',
      'Exceptions/$count': '2',
      'Blocked/$count': '2',
    }
    for (const [path, expected] of Object.entries(counts)) {
      const { text } = await read(path, { as })
      expect({ path, text }).toEqual({ path, text: expected })
    }
    const sums = [
      ...['aggregate($count as n)', 'filter(ID gt 0)/aggregate($count as n)'],
      ...['concat(aggregate($count as n),aggregate($count as n))'],
    ]
    for (const apply of sums) {
      const { json } = await read(`Proposals?$apply=${apply}`, { as })
      for (const row of json.value as { n?: number }[]) expect(row.n).toBe(own)
    }
    const { json } = await read('overview()', { as })
    expect([json.pending, json.blocked]).toEqual([own - 4, 2])
  })

  it('is told of what is not theirs as of what does not exist', async () => {
    const keys = await unseenKeys(bound)
    for (const [name, entity] of entitiesOf('BuyerService')) {
      const [other, none] = keys[name] ?? []
      if (!other || !none) continue
      for (const path of someFor(BOUND.indexOf(bound), rowPaths(name, '#', entity))) {
        const answers = [other, none].map(async (key) =>
          sayingOf(await read(path.replace('#', key), { as })),
        )
        const [found, nothing] = await Promise.all(answers)
        expect({ path, ...found }).toEqual({ path, ...nothing })
      }
    }
  })

  it('decides about nothing of the rest, one by one or many at once', async () => {
    const [other] = two.unseen(rows)
    const inputs = {
      ...{ approve: {}, decline: { reason: 'price' }, snooze: { until: '2099-01-01' } },
      cancel: { reason: 'price' },
    }
    for (const [action, body] of Object.entries(inputs)) {
      for (const path of [`Proposals(#)/BuyerService.${action}`, `${action}Many`]) {
        const answers = [String(other), '99999999'].map(async (key) => {
          const many = path.endsWith('Many') && { proposals: key }
          const call = { as, body: { ...body, ...many } }
          return sayingOf(await odata('POST', path.replace('#', key), call))
        })
        const [found, nothing] = await Promise.all(answers)
        expect({ path, ...found }).toEqual({ path, ...nothing })
      }
    }
    const events = await SELECT.from(ProposalEvents).where({ proposal: other, actor: as })
    expect(events).toEqual([])
    const exception = as === 'grouped' ? 900_003 : 900_002
    const settle = await odata('POST', `Exceptions(${exception})/BuyerService.settle`, {
      ...{ as, body: {} },
    })
    expect(settle.status).toBe(404)
  })

  it('reads nothing of the rest in a batch', async () => {
    const [other] = two.unseen(rows)
    const urls = [`Proposals(${other})`, `Proposals(${other})/toStatus`, 'Proposals', 'Skus']
    const requests = urls.map((url, at) => ({ id: String(at), method: 'GET', url }))
    const { status, text } = await odata('POST', '$batch', { as, body: { requests } })
    expect({ status, leaks: leaksIn(text, bound) }).toEqual({ status: 200, leaks: [] })
  })
})
