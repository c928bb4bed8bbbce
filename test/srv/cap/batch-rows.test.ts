import cds from '@sap/cds'
import { Skus } from '../../../srv/base/database/entities.ts'
import { serverUrl } from '../../support/server.ts'

const { INSERT } = cds.ql
const [ROWS, PARTS] = [1_000, 4]

beforeAll(async () => {
  const entries = Array.from({ length: ROWS }, (_, i) => ({ source_ID: 1, sku: `S-${i}` }))
  await INSERT.into(Skus).entries(entries)
})

it('a batch reads so many rows and no more, each batch for itself', async () => {
  const requests = Array.from({ length: PARTS }, (_, id) => ({
    ...{ id: String(id), method: 'GET', url: `Skus?$top=${ROWS}` },
  }))
  const statuses = async () => {
    const answer = await fetch(`${serverUrl()}/odata/v4/buyer/$batch`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ requests }),
    })
    const { responses } = (await answer.json()) as { responses: { status: number }[] }
    return responses.map(({ status }) => status)
  }
  const expected = [200, 200, 400, 400]
  expect(await statuses()).toEqual(expected)
  expect(await statuses()).toEqual(expected)
})
