// npm run ui5: fetches the UI5 libraries from npm and builds them for fast views. About three minutes.
import path from 'node:path'
import { buildInto, hasTool } from '../srv/ui5/tool.ts'

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../.restock/ui5'))
const say = (line: string) => process.stderr.write(`${line}\n`)

if (!hasTool()) {
  say('The UI5 CLI is missing: npm ci installs it.')
  process.exit(1)
}
try {
  await buildInto(folder, (line) => /Building|error:|Build succeeded/.test(line) && say(line))
  say(`The UI5 libraries are in ${path.relative('.', folder)}.`)
} catch (error) {
  say((error as Error).message)
  process.exit(1)
}
