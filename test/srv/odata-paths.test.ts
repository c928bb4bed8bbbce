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
