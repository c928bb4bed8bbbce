// `npm run bench` lists the benchmarks; `npm run bench -- accuracy` runs one.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [name, ...args] = process.argv.slice(2)
const names = readdirSync(import.meta.dirname).filter((entry) =>
  existsSync(path.join(import.meta.dirname, entry, 'run.ts')),
)

if (name && names.includes(name)) {
  const script = path.join(import.meta.dirname, name, 'run.ts')
  process.exitCode =
    spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1
} else {
  for (const entry of names) {
    const readme = readFileSync(path.join(import.meta.dirname, entry, 'README.md'), 'utf8')
    console.log(`${entry.padEnd(12)} ${readme.split('\n')[0]!.replace(/^# /, '')}`)
  }
  if (name) process.exitCode = 2
}
