// Who may call what: each endpoint of the running service is called by each caller, and the page of the reference says
// what was answered. After a change: WRITE_DOCS=true npx jest … test/srv/authority/endpoints
import { serverUrl } from '../../../support/server.ts'
import { addKeys, addPeople, type Caller, TASK_CENTER } from './callers.ts'
import {
  type Call,
  callsOfPages,
  callsOfService,
  callsOfTaskCenter,
  callsOfV1,
  servedServices,
} from './calls.ts'
import { pageWith, type Row, rowsOf, tableOf } from './table.ts'

let people: Caller[]
const tables: Record<string, string> = {}

beforeAll(() => void (people = addPeople()))

const cellsOf = (rows: Row[], what: string) =>
  Object.fromEntries(
    rows.find((row) => row.what === what)!.cells.map((cell, at) => [people[at]!.name, cell]),
  )

it('the interface /v1 opens each endpoint to its scope alone', async () => {
  const callers = await addKeys()
  const rows = await rowsOf(callsOfV1(), callers)
  expect(rows).toHaveLength(callsOfV1().length)
  for (const { what, cells } of rows) expect([what, cells[0]]).toEqual([what, '–'])
  const opened = rows.map(({ what, cells }) => ({
    what,
    scopes: callers.filter((_, at) => cells[at] === '✓').map(({ name }) => name),
  }))
  tables['`/v1`, by key'] = [
    '| | scopes that open it |\n| --- | --- |',
    ...opened.map(({ what, scopes }) => `| ${what} | ${scopes.join(' or ')} |`),
  ].join('\n')
})

/** Where My Inbox is served, changes need a token, which a read gives. */
const csrf = (at: string) => async (caller: Caller) => {
  const headers = { ...caller.headers, 'X-CSRF-Token': 'Fetch' }
  const response = await fetch(`${serverUrl()}${at}/`, { headers })
  return { 'X-CSRF-Token': response.headers.get('x-csrf-token') ?? '' }
}

const TITLES: Record<string, string> = {
  AdminService: 'The administration',
  BuyerService: 'The buyer’s app',
  TASKPROCESSING: 'My Inbox',
}

it('each OData service opens each entity and action to its roles alone', async () => {
  const served = servedServices()
  expect(served.map(({ name }) => name).sort()).toEqual(Object.keys(TITLES).sort())
  for (const { name, at } of served) {
    const own = name === 'TASKPROCESSING' ? csrf(at) : undefined
    const rows = await rowsOf(callsOfService(name, at), people, own)
    for (const { what, cells } of rows) expect([what, cells[0]]).toEqual([what, '–'])
    tables[`${TITLES[name]}, \`${at}\``] = tableOf(people, rows)
    if (name === 'BuyerService') {
      expect(cellsOf(rows, '`Proposals/approve`')).toMatchObject({ '`Admin`': '–', '`Buyer`': '✓' })
    }
  }
})

it('OData V2 has My Inbox alone', async () => {
  for (const path of ['buyer', 'admin', 'BuyerService']) {
    for (const { headers } of people) {
      const response = await fetch(`${serverUrl()}/odata/v2/${path}/Proposals`, { headers })
      expect([path, response.status]).toEqual([path, 404])
    }
  }
  const at = '/odata/v2/TASKPROCESSING'
  // Within Jest the adapter cannot send the model: it takes the buffers of Jest for none.
  const isRead = ({ method, what }: Call) => method === 'GET' && what !== 'the model'
  const reads = callsOfService('TASKPROCESSING', at).filter(isRead)
  const rows = await rowsOf(reads, people)
  for (const { what, cells } of rows) expect([what, cells[0]]).toEqual([what, '–'])
  tables[`My Inbox, \`${at}\``] = tableOf(people, rows)
})

it('Task Center and the pages are for whom they are', async () => {
  const callers = [...people, TASK_CENTER]
  const rows = await rowsOf(callsOfTaskCenter(), callers)
  for (const { what, cells } of rows) expect([what, cells[0]]).toEqual([what, '–'])
  tables['SAP Task Center'] = tableOf(callers, rows)
  const pages = await rowsOf(callsOfPages(), people)
  tables['Pages and the rest'] = tableOf(people, pages)
})

it('the reference says so', async () => {
  const { text, expected } = await pageWith(tables)
  expect(text).toBe(expected)
})
