// A process that writes the planted secrets through whatever there is to write with, as the service is set up: loggers
// made before ours, by modules while they are imported, by CAP and by its packages; the console; threads; Node itself.
import '../../../srv/base/log/guard.ts'
import cds from '@sap/cds'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { linesWith, type Planted } from './planted.ts'

const early = cds.log('early')
const { warn: taken } = early
/** A logger is a function too. */
const called = early as unknown as typeof taken
const namesIn = (pattern: string) =>
  globSync(pattern, { cwd: cds.root, exclude: (name) => /\/(test|types)$/.test(String(name)) })
    .map((file) => readFileSync(`${cds.root}/${file}`, 'utf8'))
    .flatMap((text) => [...text.matchAll(/cds\.log ?\(\s*['"`]([^'"`$]+)['"`]/g)])
    .map(([, name]) => name!)
const own = namesIn('{srv,adapters}/**/*.{ts,js}')
const names = new Set([
  ...own,
  ...namesIn('node_modules/@sap/cds/{bin,lib,libx}/**/*.js'),
  ...namesIn('node_modules/@cap-js*/*/{lib,src,srv}/**/*.js'),
])
// Half of them are made before ours are in place.
;[...names].forEach((name, at) => at % 2 === 0 && cds.log(name))
await import('../../../srv/base/cap/log.ts')
await import('../../../srv/domain/sync/workers.ts')

const lines = linesWith(JSON.parse(process.env.PLANTED!) as Planted)
for (const name of [...names, ...Object.keys((cds.log as never as { loggers: object }).loggers)]) {
  const log = cds.log(name, { level: 'trace' })
  for (const level of ['trace', 'debug', 'log', 'info', 'warn', 'error'] as const)
    for (const line of lines) log[level](...line)
}
for (const line of lines) {
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
    // eslint-disable-next-line no-console -- as libraries do
    console[level](...line)
  taken(...line)
  called(...line)
  const text = line.map(String).join(' ')
  process.stdout.write(`${text}\n`)
  process.stderr.write(Buffer.from(`${text}\n`))
  process.emitWarning(text)
}
const inThread = `
  await import(${JSON.stringify(new URL('../../../srv/base/log/guard.ts', import.meta.url).href)})
  const { linesWith } = await import(${JSON.stringify(new URL('planted.ts', import.meta.url).href)})
  for (const line of linesWith(JSON.parse(process.env.PLANTED))) {
    console.log(...line)
    console.error(...line)
    process.emitWarning(line.map(String).join(' '))
  }`
await once(new Worker(new URL(`data:text/javascript,${encodeURIComponent(inThread)}`)), 'exit')
process.stdout.write(`names: ${own.length} of ours, ${names.size} in all\n`)
setTimeout(() => {
  throw new Error(`the end: ${lines.flat().map(String).join(' ')}`)
})
