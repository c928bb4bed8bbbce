// Every command of the README, the guides and the reference, run in their order, each once, against one service.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AxiosInstance } from 'axios'
import { Service } from '../support/service.ts'
import { type Block, codeBlocks, commandsOf } from './documents/blocks.ts'
import { COMMANDS, CUT_JSON, LANGUAGES } from './documents/exceptions.ts'
import { withKnown } from './documents/known.ts'
import { run } from './documents/run.ts'
import { makeShop } from './documents/shop.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restock-documents-'))
let service: Service
let api: AxiosInstance

beforeAll(async () => {
  makeShop(folder)
  service = await Service.inTemporaryFolder()
  await service.start({ RESTOCK_DEMO: 'key', RESTOCK_CSV_ROOT: path.join(folder, 'data') })
  api = await service.api()
  const key = String(api.defaults.headers.Authorization).replace('Bearer ', '')
  Object.assign(process.env, { RESTOCK_URL: `${service.url}/v1`, RESTOCK_API_KEY: key })
  await mustRun('npx restock connect --source csv --account shop')
  await mustRun('npx restock sync')
}, 300_000)
afterAll(async () => {
  await service?.clean()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * What ends with another code than 0, as it should: something is wrong with a made-up shop, and what
 * one page has handed over is refused to the next.
 */
const MAY_FAIL = /^npx restock (doctor|sources (check|edit)|proposals hand-over --out)/

async function mustRun(command: string): Promise<void> {
  const { code, output } = await run(command, folder)
  if (code && !MAY_FAIL.test(command)) throw new Error(`${command}\nended with ${code}:\n${output}`)
  expect(output).not.toMatch(/\n\s+at .*:\d+:\d+|undefined|\[object/)
}

const here = (command: string) =>
  command
    .replaceAll('http://localhost:4004', service.url)
    .replaceAll('$(cat .restock/key-4004)', '$RESTOCK_API_KEY')
    .replace(/^curl /, 'curl --silent --show-error --fail ')

const blocks = codeBlocks()
const used = new Set<string>()

/** Why it cannot be run; undefined where it can. */
function excuse(command: string): string | undefined {
  const start = Object.keys(COMMANDS).find((each) => command.startsWith(each))
  if (start) used.add(start)
  return start
}

/** What several pages tell. */
const told = new Set<string>()
const isFirst = (command: string) => !told.has(command) && told.add(command)

const scripts = blocks
  .map((block) => ({
    block,
    commands: commandsOf(block).filter((each) => !excuse(each) && isFirst(each)),
  }))
  .filter(({ commands }) => commands.length)
  .map(({ block, commands }) => [`${block.file}:${block.line}`, commands] as const)

it.each(scripts)('%s can be run as it stands there', async (_, commands) => {
  for (const command of commands) await mustRun(await withKnown(here(command), api))
})

it('each JSON is whole', () => {
  const problems = blocks.flatMap(({ language, text, file, line }) => {
    if (language !== 'json' || CUT_JSON.test(text)) return []
    try {
      JSON.parse(text.trim().startsWith('"') ? `{${text}}` : text)
      return []
    } catch (error) {
      return [`${file}:${line}: ${(error as Error).message}`]
    }
  })
  expect(problems).toEqual([])
})

it('nothing is left out without a reason, and no reason is left over', () => {
  const known = ['', 'sh', 'json', 'csv', ...Object.keys(LANGUAGES)]
  const where = ({ file, line, language }: Block) => `${file}:${line} ${language}`
  expect(blocks.filter(({ language }) => !known.includes(language)).map(where)).toEqual([])
  expect(Object.keys(COMMANDS).filter((each) => !used.has(each))).toEqual([])
})

it('what the documentation links to is there', () => {
  expect(existsSync(path.join(folder, 'orders.csv'))).toBe(true)
  expect(existsSync(path.join(folder, 'forecast.csv'))).toBe(true)
})
