// Dockerfile and .dockerignore: what the image runs, as whom, with which settings, and what never gets into it. That it runs is shown by
// test/production/container.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { commandOf, contextOf, stagesOf, textsOf, valuesOf } from '../support/dockerfile.ts'
import { SETTING_NAMES } from '../support/setting-names.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const stages = stagesOf(path.join(root, 'Dockerfile'))
const image = stages.at(-1)!
const unit = read('xmpls/systemd/restock.service')

it('starts what the unit of systemd starts, and what npm start does', () => {
  const [node, program] = commandOf(image, 'CMD')
  expect(node).toBe('node')
  expect(unit).toContain(`\nExecStart=/usr/bin/node ${program}\n`)
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  expect(scripts.start).toMatch(new RegExp(`exec node ${program!.replace(/\.js$/, '.ts')}$`))
})

it('runs as a user without rights, by number, which Kubernetes wants to see', () => {
  expect(textsOf(image, 'USER')).toEqual(['1000:1000'])
  const { instructions } = image
  const last = instructions.findLastIndex(({ name }) => name === 'RUN' || name === 'COPY')
  expect(instructions.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(last)
})

it('sets what there is to set, and no secret', () => {
  const env = valuesOf(image, 'ENV')
  const others = Object.keys(env).filter((name) => !SETTING_NAMES.includes(name))
  expect(others.sort()).toEqual(['CDS_ENV', 'NODE_ENV', 'PORT'])
  expect(env).toMatchObject({ NODE_ENV: 'production', CDS_ENV: 'postgres' })
  expect(textsOf(image, 'EXPOSE')).toEqual([env.PORT])
  const written = Object.values(env).filter((value) => value.startsWith('/'))
  const [folder] = /\/var\/\S+/.exec(textsOf(image, 'RUN').join())!
  for (const file of written) expect(file).toContain(`${folder}/`)
})

it('asks for its life, not for its database', () => {
  expect(commandOf(image, 'HEALTHCHECK').join(' ')).toContain('/health/live')
})

it('every stage has the Node that the tests run on', () => {
  const [, base] = /^ARG NODE=(.+)$/m.exec(read('Dockerfile'))!
  const { devDependencies } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>
  }
  expect(base).toMatch(new RegExp(`^node:${/\d+/.exec(devDependencies.node!)![0]}-.+-slim$`))
  for (const stage of stages) expect(textsOf(stage, 'FROM')[0]).toContain('${NODE}')
})

it('what is copied before the rest is there', () => {
  const [names] = textsOf(stages[0]!, 'COPY')
  for (const name of names!.split(' ').slice(0, -1))
    expect(existsSync(path.join(root, name))).toBe(true)
})

describe('the context', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-context-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is what is built from, without secrets, data of people and what is installed', () => {
    const secret = ['.env', '.env.local', 'restock.sqlite', 'restock.sqlite-wal', 'serve.log']
    const kept = ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.build.json']
    for (const name of [...secret, ...kept]) writeFileSync(path.join(folder, name), '')
    const folders = ['.git', '.restock', 'node_modules', 'gen', 'data/source', 'data/north', 'srv']
    for (const name of folders) mkdirSync(path.join(folder, name), { recursive: true })
    writeFileSync(path.join(folder, '.dockerignore'), read('.dockerignore'))
    expect(contextOf(folder).sort()).toEqual(
      ['.dockerignore', ...kept, 'data/source', 'srv'].sort(),
    )
  })
})
