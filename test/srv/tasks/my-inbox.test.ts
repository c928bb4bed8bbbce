// My Inbox's own calls, replayed against the service: OData V2, as SAP Gateway's task processing has it.
import cds from '@sap/cds'
import { ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { approve } from '../../support/buyer.ts'
import { answerOf } from '../../support/odata-at.ts'
import { serverUrl } from '../../support/server.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { basic, caughtUp } from './inbox.ts'

const { SELECT } = cds.ql

let shop: Shop

beforeAll(async () => {
  // The adapter calls the service at the address where it listens.
  shop = await openShop('gateway', 30)
  await caughtUp()
})

interface Options {
  user?: string | null
  token?: string
  headers?: Record<string, string>
  body?: string
}

type Fields = Record<string, unknown>
interface List<Each = Fields> {
  results: Each[]
  __count: string
}
type Listed = Partial<Record<string, string>>

interface Task extends Fields {
  Description: { Description: string }
  TaskDefinitionData: { TaskName: string }
  UIExecutionLink: { GUI_Link: string }
  CustomAttributeData: List<{ Name: string }>
  Comments: List
}

/** The texts of an error stand one level deeper than in OData V4. */
interface Refusal {
  error: { code: string; message: { lang: string; value: string } }
}

async function odata<Data = Fields>(method: string, path: string, options: Options = {}) {
  const { user = 'buyer', token, headers, body } = options
  const url = serverUrl()
  const response = await fetch(`${url}/odata/v2/TASKPROCESSING/${path}`, {
    method,
    headers: {
      ...(user && { Authorization: basic(user) }),
      ...{ Accept: 'application/json', 'Accept-Language': 'en' },
      ...(token && { 'X-CSRF-Token': token }),
      ...headers,
    },
    body,
  })
  return {
    ...(await answerOf<{ d: Data } & Partial<Refusal>>(response)),
    headers: response.headers,
  }
}

const read = async <Data = List<Listed>>(path: string, options?: Options) => {
  const answer = await odata<Data>('GET', path, options)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json.d
}

async function tokenOf(user = 'buyer') {
  const answer = await odata('GET', '', { user, headers: { 'X-CSRF-Token': 'Fetch' } })
  expect(answer.status).toBe(200)
  return answer.headers.get('x-csrf-token')!
}

const idOf = (ID: number) => `prop_${ID}`
const quoted = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}='${encodeURIComponent(value)}'`)
    .join('&')

const write = async (name: string, values: Record<string, string>, user = 'buyer') =>
  odata('POST', `${name}?${quoted({ SAP__Origin: 'RESTOCK', ...values })}`, {
    user,
    token: await tokenOf(user),
  })

describe('the list', () => {
  it('is filtered, sorted, counted and paged', async () => {
    const query =
      "TaskCollection?$skip=0&$top=5&$filter=Status eq 'READY' or Status eq 'RESERVED'" +
      '&$orderby=CreatedOn desc&$inlinecount=allpages&$format=json'
    const { results, __count } = await read(query)
    expect(results).toHaveLength(5)
    expect(__count).toBe('30')
    expect(results[0]).toMatchObject({
      ...{ SAP__Origin: 'RESTOCK', TaskDefinitionID: 'ORDER_PROPOSAL_APPROVAL', Status: 'READY' },
      ...{ StatusText: 'Ready', SupportsClaim: true, SupportsRelease: false, ForwardedOn: null },
      ...{ SupportsForward: false, HasComments: false },
    })
    expect(results[0]!.InstanceID).toMatch(/^prop_\d+$/)
    expect(results[0]!.CreatedOn).toMatch(/^\/Date\(\d+\)\/$/)
    const last = await read(query.replace('$skip=0', '$skip=28'))
    expect(last.results).toHaveLength(2)
    const count = await odata('GET', "TaskCollection/$count?$filter=Status eq 'READY'")
    expect(count.text).toBe('30')
  })

  it.each([
    ["$filter=Priority eq 'VERY_HIGH'", 'Priority'],
    ["$filter=substringof('gateway-1',TaskTitle)", 'TaskTitle'],
    ["$filter=CreatedOn ge datetimeoffset'2020-01-01T00:00:00Z'", 'CreatedOn'],
    ["$filter=TaskDefinitionID eq 'ORDER_PROPOSAL_APPROVAL' and Status ne 'COMPLETED'", 'Status'],
    ['$orderby=PriorityNumber asc,CompletionDeadLine desc', 'PriorityNumber'],
    ['$select=SAP__Origin,InstanceID,TaskTitle', 'TaskTitle'],
  ])('answers %s', async (query, field) => {
    const { results } = await read(`TaskCollection?${query}`)
    for (const row of results) expect(row).toHaveProperty(field)
  })

  it('speaks the language of the user', async () => {
    const path = "TaskCollection?$top=1&$filter=Status eq 'READY'"
    const { results } = await read(path, { headers: { 'Accept-Language': 'de-DE' } })
    expect(results[0]).toMatchObject({
      TaskDefinitionName: 'Bestellvorschlag freigeben',
      StatusText: 'Bereit',
    })
    expect(results[0]!.TaskTitle).toMatch(/bestellen/)
  })

  it('is empty for whoever decides about nothing, and closed to strangers', async () => {
    expect((await read('TaskCollection', { user: 'auditor' })).results).toEqual([])
    expect((await odata('GET', 'TaskCollection', { user: null })).status).toBe(401)
  })
})

describe('a task', () => {
  it('comes with what is asked for beside it', async () => {
    const InstanceID = idOf(shop.take())
    const path = `TaskCollection(SAP__Origin='RESTOCK',InstanceID='${InstanceID}')`
    const task = await read<Task>(
      `${path}?$expand=Description,CustomAttributeData,Comments,TaskDefinitionData,UIExecutionLink`,
    )
    expect(task.Description.Description).toMatch(/Order/)
    expect(task.TaskDefinitionData.TaskName).toBe('Approve order proposal')
    expect(task.UIExecutionLink.GUI_Link).toMatch(/Proposals\(\d+\)/)
    const names = task.CustomAttributeData.results.map(({ Name }) => Name)
    expect(names).toEqual(['supplier', 'location', 'quantity', 'value', 'neededBy', 'daysOfSupply'])
    expect(task.Comments.results).toEqual([])
    expect((await read<Task['Description']>(`${path}/Description`)).Description).toMatch(/Order/)
    expect((await read<Task['UIExecutionLink']>(`${path}/UIExecutionLink`)).GUI_Link).toMatch(
      /Proposals/,
    )
    expect((await read(`${path}/CustomAttributeData`)).results).toHaveLength(6)
    expect((await read('TaskDefinitionCollection')).results).toHaveLength(1)
    expect((await read('SystemInfoCollection')).results).toMatchObject([{ SAP__Origin: 'RESTOCK' }])
  })

  it('is 404 where it is unknown or for others', async () => {
    const path = (id: string) => `TaskCollection(SAP__Origin='RESTOCK',InstanceID='${id}')`
    expect((await odata('GET', path('prop_99999999'))).status).toBe(404)
    const foreign = await odata('GET', path(idOf(shop.take())), { user: 'auditor' })
    expect(foreign.status).toBe(404)
  })

  it('names how it may be decided', async () => {
    const InstanceID = idOf(shop.take())
    const { results } = await read(`DecisionOptions?${quoted({ SAP__Origin: 'X', InstanceID })}`)
    expect(results).toMatchObject([
      { InstanceID, DecisionKey: '0001', DecisionText: 'Approve', Nature: 'POSITIVE' },
      { InstanceID, DecisionKey: '0002', DecisionText: 'Reject', Nature: 'NEGATIVE' },
    ])
  })

  it('describes itself in $metadata', async () => {
    const { text } = await odata('GET', '$metadata', { headers: { Accept: 'application/xml' } })
    expect(text).toMatch(/<EntitySet Name="TaskCollection"/)
    expect(text).toMatch(/<FunctionImport Name="Decision"/)
    expect(text).toMatch(/<PropertyRef Name="SAP__Origin"/)
  })
})

describe('decisions', () => {
  it('need a token', async () => {
    const InstanceID = idOf(shop.take())
    const path = `Decision?${quoted({ SAP__Origin: 'RESTOCK', InstanceID, DecisionKey: '0001' })}`
    const foreign = await tokenOf('approver')
    for (const token of [undefined, 'x', `${Date.now().toString(36)}.x`, foreign]) {
      const answer = await odata('POST', path, { token })
      expect(answer.status).toBe(403)
      expect(answer.headers.get('x-csrf-token')).toBe('Required')
    }
    const { status } = (await SELECT.one
      .from(Proposals)
      .where({ ID: Number(InstanceID.slice(5)) }))!
    expect(status).toBe('pending')
  })

  it('approve, with and without comments, and answer the task', async () => {
    const [first, second] = [shop.take(), shop.take()]
    const values = { InstanceID: idOf(first), DecisionKey: '0001' }
    const answer = await write('Decision', { ...values, Comments: 'go on' })
    expect(answer.status).toBe(200)
    expect(answer.json.d).toMatchObject({ InstanceID: idOf(first), Status: 'COMPLETED' })
    const without = await write('Decision', { InstanceID: idOf(second), DecisionKey: '0001' })
    expect(without.status).toBe(200)
    const [event] = await SELECT.from(ProposalEvents).where({
      proposal: first,
      version: 2,
    })
    expect(event).toMatchObject({ via: 'my_inbox', event: 'approved', comment: 'go on' })
    const path = `TaskCollection(SAP__Origin='RESTOCK',InstanceID='${idOf(first)}')/Comments`
    expect((await read(path)).results).toMatchObject([{ Text: 'go on', CreatedBy: 'buyer' }])
    const again = await write('Decision', values)
    expect(again.status).toBe(409)
    expect(again.json.error?.message.value).toMatch(/already been decided/)
  })

  it('stand with a claim in one change set', async () => {
    const [claimed, decided] = [shop.take(), shop.take()]
    const part = (name: string, values: Record<string, string>) => [
      ...['--set', 'Content-Type: application/http', 'Content-Transfer-Encoding: binary', ''],
      `POST ${name}?${quoted({ SAP__Origin: 'RESTOCK', ...values })} HTTP/1.1`,
      ...['Content-Type: application/json', 'Accept: application/json', '', '{}', ''],
    ]
    const lines = [
      ...['--batch', 'Content-Type: multipart/mixed; boundary=set', ''],
      ...part('Claim', { InstanceID: idOf(claimed) }),
      ...part('Decision', { InstanceID: idOf(decided), DecisionKey: '0001', Comments: 'fine' }),
      ...['--set--', '--batch--', ''],
    ]
    const answer = await odata('POST', '$batch', {
      token: await tokenOf(),
      headers: { 'Content-Type': 'multipart/mixed; boundary=batch' },
      body: lines.join('\r\n'),
    })
    expect(answer.status).toBe(202)
    expect(answer.text.match(/HTTP\/1.1 200/g)).toHaveLength(2)
    const [row] = await SELECT.from(Proposals).where({ ID: decided })
    expect(row).toMatchObject({ status: 'approved' })
  })

  it('reject with a reason', async () => {
    const ID = shop.take()
    const values = { InstanceID: idOf(ID), DecisionKey: '0002', Comments: '' }
    expect((await write('Decision', { ...values, ReasonCode: 'bored' })).status).toBe(400)
    const answer = await write('Decision', { ...values, ReasonCode: 'price' })
    expect(answer.json.d).toMatchObject({ Status: 'COMPLETED' })
    const row = await SELECT.one.from(Proposals).where({ ID })
    expect(row).toMatchObject({ status: 'rejected', reason: 'price' })
  })

  it('are refused as at every other door', async () => {
    const ID = shop.take()
    const values = { InstanceID: idOf(ID), DecisionKey: '0001' }
    for (const DecisionKey of ['7', 'toString', 'constructor', '__proto__']) {
      expect((await write('Decision', { ...values, DecisionKey })).status).toBe(400)
    }
    expect((await write('Decision', values, 'auditor')).status).toBe(403)
    expect((await write('Decision', { ...values, InstanceID: 'prop_9999999' })).status).toBe(404)
    await approve(ID)
    expect((await write('Decision', values)).status).toBe(409)
  })

  it('wait for whoever has claimed the task', async () => {
    const InstanceID = idOf(shop.take())
    const claimed = await write('Claim', { InstanceID })
    expect(claimed.json.d).toMatchObject({ Status: 'RESERVED', Processor: 'buyer' })
    const other = await write('Decision', { InstanceID, DecisionKey: '0001' }, 'approver')
    expect(other.status).toBe(409)
    const released = await write('Release', { InstanceID })
    expect(released.json.d).toMatchObject({ Status: 'READY', Processor: null })
    expect((await write('Decision', { InstanceID, DecisionKey: '0001' }, 'approver')).status).toBe(
      200,
    )
  })

  it('a comment may be added before', async () => {
    const InstanceID = idOf(shop.take())
    const answer = await write('AddComment', { InstanceID, Text: 'who knows why?' })
    expect(answer.json.d).toMatchObject({ Text: 'who knows why?' })
    const path = `TaskCollection(SAP__Origin='RESTOCK',InstanceID='${InstanceID}')`
    const task = await read<Task>(`${path}?$expand=Comments`)
    expect(task).toMatchObject({ HasComments: true })
    const { ID, CreatedAt } = answer.json.d
    expect(task.Comments.results).toMatchObject([{ ID, CreatedAt, Text: 'who knows why?' }])
  })
})
