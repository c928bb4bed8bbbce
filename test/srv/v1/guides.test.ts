// What the guides and the reference show is run, and whole.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { STATUS } from '../../../srv/base/errors.ts'
import { serverUrl } from '../../support/server.ts'
import { aKey, get } from './api.ts'
import { readDemand } from './demand.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(root, 'docs', file), 'utf8')
const recipe = (language: string) =>
  read('guides/integrate.md')
    .split(`\`\`\`${language}\n`)[1]!
    .split('```')[0]!
    .replaceAll('A-100', 'B2')

/** Runs a recipe as its reader would. @returns what it prints, by line */
async function run(command: string, args: string[]): Promise<string[]> {
  const url = serverUrl()
  const { NODE_OPTIONS: _, ...rest } = process.env
  const env = { ...rest, RESTOCK_URL: `${url}/v1`, RESTOCK_API_KEY: await aKey() }
  const { stdout } = await promisify(execFile)(command, args, { cwd: root, env })
  return stdout.trim().split('\n')
}

beforeAll(() => readDemand('guides'))

it('the JavaScript recipe works', async () => {
  // The client as it stands here, without a build.
  const lines = await run('node', [
    '--conditions=source',
    '--input-type=module',
    '-e',
    recipe('js'),
  ])
  const { json } = await get('/proposals?sort=urgency')
  const [first] = json.data
  expect(lines).toHaveLength(json.data.length + 1)
  expect(lines[0]).toBe(`${first!.id} ${first!.sku} ${first!.quantity} ${first!.urgency}`)
  expect(lines.at(-1)).toMatch(/p10: \d+, p50: \d+, p90: \d+/)
})

it('the Python recipe works', async () => {
  const lines = await run('python3', ['-c', recipe('python')]).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
  if (!lines) return
  const { json } = await get('/proposals?sort=-value')
  const [first] = json.data
  expect(lines).toHaveLength(json.data.length + 2)
  expect(lines[0]).toBe(`${first!.id} ${first!.sku} ${first!.quantity} ${first!.value}`)
  expect(lines.at(-2)).toMatch(/^B2 \{'p10': \d+/)
  expect(lines.at(-1)).toBe('A-200 forecast_not_found')
})

it('the reference lists every code with its status', () => {
  const rows = read('reference/errors.md').matchAll(/^\| `(\w+)` +\| (\d+) /gm)
  const told = [...rows].map(([, code, status]) => [code, Number(status)])
  expect(Object.fromEntries(told)).toEqual(STATUS)
})
