// The package as another project installs it: JavaScript that runs, types that hold.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')
const { NODE_OPTIONS: _, ...env } = process.env
const node = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)(process.execPath, args, { cwd, env })).stdout

let project: string
beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'restock-client-'))
  const folder = path.join(project, 'node_modules/restock-client')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }')
  await node(root, 'client/build.ts', folder)
})
afterAll(() => rmSync(project, { recursive: true }))

it('runs below node_modules, without anything else installed', async () => {
  const text = `import { Restock } from 'restock-client'
    console.log(new Restock({ url: 'https://a.example/v1/' }).url)`
  const stdout = await node(project, '--input-type=module', '-e', text)
  expect(stdout).toBe('https://a.example/v1\n')
})

/** The recipes in a text, as files of a project that has the package. */
const recipesIn = (file: string, language: string) =>
  readFileSync(path.join(root, file), 'utf8')
    .split('```' + language + '\n')
    .slice(1)
    .map((text) => text.split('```')[0]!.replace('restock/client', 'restock-client'))

it('is checked by a strict compiler: what fits compiles, as the recipes do, what does not fails', async () => {
  const text = `import { Restock } from 'restock-client'
    const restock = new Restock()
    const { quantity } = await restock.get('/proposals/{id}', { path: { id: 'prop_1' } })
    for await (const { sku } of restock.list('/proposals')) sku.toUpperCase()
    const nothing: undefined = await restock.delete('/keys/{id}', { path: { id: 'k1' } })
    // @ts-expect-error an id is needed
    await restock.get('/proposals/{id}')
    // @ts-expect-error no such parameter
    await restock.get('/proposals', { query: { colour: 'red' } })
    // @ts-expect-error a body is needed
    await restock.post('/sources/{id}/sync', { path: { id: 'src_1' } })
    // @ts-expect-error not a list
    restock.list('/forecasts')
    export const sum: number = quantity + (nothing ?? 0)`
  writeFileSync(path.join(project, 'index.ts'), text)
  const recipes = {
    'guide.ts': recipesIn('docs/guides/integrate.md', 'js').join('\n'),
    'readme.ts': recipesIn('client/README.md', 'ts').join('\n'),
  }
  for (const [name, recipe] of Object.entries(recipes)) {
    expect(recipe).toContain('restock-client')
    writeFileSync(path.join(project, name), recipe)
  }
  const types = path.join(root, 'node_modules/@types')
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--noEmit',
  ]
  options.push('--target', 'es2023', '--module', 'nodenext')
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  await node(
    project,
    tsc,
    ...options,
    '--typeRoots',
    types,
    '--types',
    'node',
    'index.ts',
    ...Object.keys(recipes),
  )
})
