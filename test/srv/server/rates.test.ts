import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import express, { type Request, type Response } from 'express'
import { limitAddress, limitReads, limitUnknown } from '../../../srv/base/http/rates.ts'
import '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'

/** Serves what `mount` puts there. @returns the statuses of so many calls, in their order */
async function statusesOf(
  mount: (app: express.Application) => void,
  calls: Record<string, string>[],
) {
  const app = express()
  mount(app)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const statuses: number[] = []
  for (const headers of calls) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers })
    await answer.text()
    statuses.push(answer.status)
  }
  server.close()
  return statuses
}

const times = <T>(count: number, what: T) => Array.from({ length: count }, () => what)

beforeAll(() => {
  delete process.env.RESTOCK_RATE_LIMIT
  changeSettings({ unknownCallsPerMinute: 3, readsPerMinute: 10 })
})

it('calls of nobody are limited by address; who signs in is not', async () => {
  const door = (req: Request, res: Response) => void res.sendStatus(req.headers.ok ? 200 : 401)
  const calls = [...times(5, {}), ...times(3, { ok: '1' })]
  const statuses = await statusesOf((app) => app.use(limitUnknown(), door), calls)
  expect(statuses).toEqual([401, 401, 401, 429, 429, 200, 200, 200])
})

it('a door that knows nobody counts each call', async () => {
  const door = (_req: Request, res: Response) => void res.sendStatus(200)
  const statuses = await statusesOf((app) => app.use(limitAddress('x'), door), times(5, {}))
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

it('reads of a person are limited, part by part; decisions never are', async () => {
  const signIn = (req: Request, res: Response, next: () => void) => {
    const [reads, changes] = String(req.headers.calls).split(',').map(Number)
    res.locals.calls = { reads: reads!, changes: changes! }
    const user = new cds.User(String(req.headers.user))
    cds.context = { user } as never
    next()
  }
  const call = (user: string, calls: string) => ({ user, calls })
  const statuses = await statusesOf(
    (app) => app.use(signIn, limitReads(), (_req, res) => void res.sendStatus(200)),
    [
      ...[call('ann', '6,0'), call('ann', '6,0'), call('ann', '4,0'), call('ann', '1,0')],
      ...[call('ann', '0,1'), call('ann', '9,1'), call('ben', '10,0')],
    ],
  )
  expect(statuses).toEqual([200, 429, 200, 429, 200, 200, 200])
})
