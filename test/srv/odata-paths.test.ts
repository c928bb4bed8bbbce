import { server } from '../support/server.ts'

const ask = (path: string) => {
  const { url } = server as unknown as { url: string }
  const Authorization = `Basic ${Buffer.from('buyer:buyer').toString('base64')}`
  return fetch(url + path, { headers: { Authorization } })
}

it.each([
  "/odata/v4/buyer/Proposals('%ff')",
  '/odata/v4/buyer/%ZZ',
  '/odata/v4/%E0%A4%A',
  "/odata/v2/TASKPROCESSING/TaskCollection('%ff')",
])('a path that is no UTF-8 is refused, and the service lives on: %s', async (path) => {
  const answer = await ask(path)
  expect(answer.status).toBe(400)
  expect((await answer.json()) as object).toEqual({
    error: { code: '400', message: expect.any(String) },
  })
  expect((await ask('/odata/v4/buyer/Proposals?$top=1')).status).toBe(200)
})

describe.each(['/odata/v2/TASKPROCESSING/TaskCollection', '/odata/v4/buyer/Proposals'])(
  'of %s',
  (set) => {
    it.each([
      '$orderby=constructor',
      '$filter=toString eq 1',
      '$select=__proto__',
      '$expand=constructor',
      `$skip=${'9'.repeat(40)}`,
    ])('what is no field, or beyond all numbers, is refused: %s', async (query) => {
      const answer = await ask(`${set}?${query}`)
      expect(answer.status).toBe(400)
      expect(((await answer.json()) as { error: object }).error).toMatchObject({
        message: expect.stringContaining(query.split('=')[0]!),
      })
    })
  },
)

it('texts may hold any word', async () => {
  const queries = ["$filter=supplier eq 'constructor'", '$search=constructor', 'constructor=1']
  for (const query of queries) {
    expect((await ask(`/odata/v4/buyer/Proposals?${query}`)).status).toBe(200)
  }
})
