// npm run ui5 [-- folder]: fetches the UI5 libraries from npm and builds them for fast views. A minute or two.
// The service starts it in development: with --serve it serves them unbuilt, with --background it builds at the least
// priority. With --into it is the CLI's build alone.
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildInto } from './build.ts'
import { runUi5 } from './cli.ts'

const { values, positionals } = parseArgs({
  options: {
    serve: { type: 'boolean' },
    background: { type: 'boolean' },
    into: { type: 'string' },
  },
  allowPositionals: true,
})
const say = (line: string) => process.stderr.write(`${line}\n`)

async function build() {
  const own = path.join(import.meta.dirname, '../../.restock/ui5')
  const folder = path.resolve(positionals[0] ?? own)
  process.on('disconnect', () => process.exit())
  await buildInto(folder, (line) => /Building|error:|Build succeeded/.test(line) && say(line))
  say(`The UI5 libraries are in ${path.relative('.', folder)}.`)
  process.exit()
}

try {
  // Not every system lets a process give way; then it competes.
  if (values.background) os.setPriority(os.constants.priority.PRIORITY_LOW)
} catch {
  say('The build could not be given a lower priority.')
}
try {
  if (values.serve) await runUi5('serve')
  else if (values.into === undefined) await build()
  else await runUi5('build', '--all', '--include-task=generateVersionInfo', '--dest', values.into)
} catch (error) {
  say((error as Error).message)
  process.exit(1)
}
