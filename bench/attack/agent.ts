// 10,000 tries to make the agent's door decide, show other rows or tell a secret: see README.md.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const tries = process.argv[2] ?? '10000'
const test = [
  'jest',
  'test/srv/v1/agent-attacks',
  '--selectProjects',
  'sqlite',
  '--ci',
  '--silent=false',
]
const { status } = spawnSync(process.execPath, ['scripts/run.ts', ...test], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, AGENT_TRIES: tries },
})
process.exitCode = status ?? 1
