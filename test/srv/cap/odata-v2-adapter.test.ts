import cds from '@sap/cds'
import { serverUrl } from '../../support/server.ts'

const SERVICE = '/odata/v2/TASKPROCESSING'
const headers = { Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}` }
const urlOf = (path: string) => serverUrl() + SERVICE + path

async function csrfToken() {
  const answer = await fetch(urlOf('/'), { headers: { ...headers, 'X-CSRF-Token': 'Fetch' } })
  return answer.headers.get('X-CSRF-Token')!
}

it('a function is called by POST with nothing in the body', async () => {
  const answer = await fetch(urlOf("/Claim?SAP__Origin='RESTOCK'&InstanceID='prop_0'"), {
    method: 'POST',
    headers: { ...headers, Accept: 'application/json', 'X-CSRF-Token': await csrfToken() },
  })
  expect([400, 404]).toContain(answer.status)
  expect(await answer.json()).toHaveProperty('error.message.value')
})

it('a batch that cannot be read is refused, and the service lives on', async () => {
  const answer = await fetch(urlOf('/$batch'), {
    method: 'POST',
    headers: {
      ...headers,
      'X-CSRF-Token': await csrfToken(),
      'Content-Type': 'multipart/mixed; boundary=b',
    },
    body: '--b\r\nContent-Type: application/http\r\n\r\nGET\r\n\r\n--b--\r\n',
  })
  await answer.text()
  expect(answer.status).toBeGreaterThanOrEqual(200)
  expect(await csrfToken()).toBeTruthy()
})

it("the adapter's switches are set", () => {
  expect(cds.env.cov2ap).toMatchObject({ jsonDateOffset: false })
  expect(cds.env.log.levels).toMatchObject({ 'cov2ap/hpm': 'warn' })
})
