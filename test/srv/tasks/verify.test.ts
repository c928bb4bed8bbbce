// `restock tasks verify` against the running service.
import cds from '@sap/cds'
import { Tasks } from '../../../srv/base/database/entities.ts'
import { restock } from '../../cli/run.ts'
import { serverUrl } from '../../support/server.ts'
import { openShop } from '../proposals/shop.ts'
import { caughtUp } from './inbox.ts'

const { UPDATE } = cds.ql

const env = () => ({ RESTOCK_URL: `${serverUrl()}/v1` })

beforeAll(async () => {
  await openShop('verify', 12)
  await caughtUp()
})

it('prints what Task Center would see', async () => {
  const { code, stdout, stderr } = await restock(['tasks', 'verify', '--top', '5'], { env: env() })
  expect(stderr).toMatch(/tasks\.pull: true/)
  expect(stdout).toMatch(/12 tasks in 3 pages/)
  expect(stdout).toMatch(/READY +12/)
  expect(stdout).not.toMatch(/FAILED/)
  expect(code).toBe(0)
})

it('prints it as JSON', async () => {
  const { code, stdout } = await restock(['tasks', 'verify', '--json'], { env: env() })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ tasks: 12, pages: 1, counts: { READY: 12 } })
})

it('fails where a task is not as it must be', async () => {
  await UPDATE.entity(Tasks).set({ status: 'LOST' }).where({ localId: 'prop_1' })
  const { code, stderr } = await restock(['tasks', 'verify'], { env: env() })
  expect(code).toBe(1)
  expect(stderr).toMatch(/status/)
})

it('says what is missing', async () => {
  const far = await restock([
    'tasks',
    'verify',
    '--url',
    'https://restock.invalid/task-provider/v2',
  ])
  expect(far).toMatchObject({ code: 1, stderr: expect.stringMatching(/RESTOCK_TASK_CENTER_TOKEN/) })
  const nobody = await restock(['tasks', 'verify', '--url', 'http://localhost:1/task-provider/v2'])
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringMatching(/Nothing answers/) })
  expect((await restock(['tasks', 'verify', '--top', '0'])).code).toBe(2)
})
