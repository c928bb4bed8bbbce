import express from 'express'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import { signInOr } from '../../../srv/base/cap/authentication.ts'
import '../../support/server.ts'

const app = express()
app.use(signInOr(() => new Error('refused')))
app.get('/', (_req, res) => void res.json({ user: cds.context!.user.id }))
app.use(((error: Error, _req, res, _next) => {
  res.status(418).json({ message: error.message })
}) satisfies express.ErrorRequestHandler)
const listening = app.listen(0)
afterAll(() => listening.close())

async function ask(authorization?: string) {
  const { port } = listening.address() as AddressInfo
  const headers: Record<string, string> = authorization ? { authorization } : {}
  const answer = await fetch(`http://localhost:${port}/`, { headers })
  return { status: answer.status, ...((await answer.json()) as object) }
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

it('a caller whom CAP knows is signed in', async () => {
  expect(await ask(basic('buyer:buyer'))).toEqual({ status: 200, user: 'buyer' })
})

it.each([basic('buyer:wrong'), basic('nobody:nobody')])(
  'another is refused in our own words: %s',
  async (authorization) => {
    expect(await ask(authorization)).toEqual({ status: 418, message: 'refused' })
  },
)
