import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const MAIN = path.resolve(import.meta.dirname, '../../sandbox/main.ts')
const NODE = path.resolve(import.meta.dirname, '../../node_modules/.bin/node')

it('starts from the command line, says what to type next, and ends when it is asked to', async () => {
  const child = spawn(NODE, [
    MAIN,
    '--port',
    '0',
    '--skus',
    '50',
    '--days',
    '30',
    '--now',
    '2026-11-20',
  ])
  let text = ''
  for await (const part of child.stdout) {
    text += String(part)
    if (text.includes('npx restock sync')) break
  }
  const url = /Sandbox ERP at (http:\/\/localhost:\d+)/.exec(text)![1]!
  expect(text).toContain(`connect --source s4hana --account ${url}`)
  expect(await (await fetch(`${url}/__control`)).json()).toMatchObject({
    counts: { today: '2026-11-20', skus: 50, pairs: 60 },
  })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('names an option that is none', async () => {
  const child = spawn(NODE, [MAIN, '--nothing'])
  let text = ''
  for await (const part of child.stderr) text += String(part)
  expect(text).toContain('--nothing')
  expect(text).not.toContain(' at ')
})
