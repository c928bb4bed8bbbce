import { serverUrl } from '../../support/server.ts'

const BATCH = ['', 'Proposals?$top=x', '', 'Proposals?$top=1', '']
  .map((url) => url && `content-type: application/http\r\n\r\nGET ${url} HTTP/1.1\r\n\r\n\r\n`)
  .filter(Boolean)
  .map((part) => `--b\r\n${part}`)
  .join('')
  .concat('--b--\r\n')

async function statuses(headers: Record<string, string> = {}) {
  const url = serverUrl()
  const answer = await fetch(`${url}/odata/v4/buyer/$batch`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}`,
      'Content-Type': 'multipart/mixed; boundary=b',
      ...headers,
    },
    body: BATCH,
  })
  return [...(await answer.text()).matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status)
}

it('a batch goes on after a refusal', async () => {
  expect(await statuses()).toEqual(['400', '200'])
})

it('CAP still needs to be asked for that', async () => {
  expect(await statuses({ prefer: 'odata.continue-on-error=false' })).toEqual(['400'])
})
