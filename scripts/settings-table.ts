// Generates the table of settings in docs/guides/operations.md: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'prettier'
import type { z } from 'zod'
import { leavesOf, variables } from '../srv/base/settings/config.ts'
import { allowedBy, ENVIRONMENT } from '../srv/base/settings/settings.ts'

const FILE = path.resolve(import.meta.dirname, '../docs/guides/operations.md')
const TABLE = /(?<=<!-- settings -->\n)[^]*(?=<!-- \/settings -->)/

/** The current text of the guide, and the generated one. */
export async function guideOfSettings() {
  const text = readFileSync(FILE, 'utf8')
  const table = await format(`\n${[...configured(), ...ofEnvironment()].join('\n')}\n`, {
    parser: 'markdown',
  })
  return { text, expected: text.replace(TABLE, () => `\n${table}\n`) }
}

const configured = () => [
  '| `cds.restock` | environment | default | allowed | meaning |',
  '| --- | --- | --- | --- | --- |',
  ...[...variables].map(([name, { path, schema }]) =>
    row([code(path.join('.')), code(name)], schema),
  ),
]

const ofEnvironment = () => [
  '',
  'In the environment alone:',
  '',
  '| environment | default | allowed | meaning |',
  '| --- | --- | --- | --- |',
  ...leavesOf(ENVIRONMENT).map(({ path: [name], schema }) => row([code(name!)], schema)),
]

const row = (names: string[], schema: z.ZodType) =>
  `| ${[...names, defaultOf(schema), allowedBy(schema), schema.description].join(' | ')} |`

function defaultOf(schema: z.ZodType) {
  const { data } = schema.safeParse(undefined)
  return data === undefined || data === null ? '' : code(JSON.stringify(data))
}

const code = (text: string) => `\`${text}\``

if (import.meta.main) writeFileSync(FILE, (await guideOfSettings()).expected)
