// mta.yaml: what is deployed after what, which addresses are told to whom, and how long a start may take.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { SECRET_NAMES, SETTING_NAMES, settingsNamedIn } from '../support/setting-names.ts'
import { parseYaml, readYaml } from '../support/yaml.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Named {
  name: string
}
interface Module extends Named {
  type: string
  path: string
  'deployed-after'?: string[]
  parameters: Record<string, string | number | boolean>
  'build-parameters'?: { builder: string }
  properties?: Record<string, string>
  requires: (Named & { properties?: Record<string, string> })[]
  provides?: (Named & { properties: Record<string, string> })[]
}

const mta = readYaml<{
  '_schema-version': string
  ID: string
  modules: Module[]
  resources: Named[]
}>(path.join(root, 'mta.yaml'))
const { modules, resources } = mta
const moduleOf = (type: string) => modules.find((each) => each.type === type)!
const [service, router, deployer] = ['nodejs', 'approuter.nodejs', 'hdb'].map(moduleOf) as [
  Module,
  Module,
  Module,
]

it('the tables come first, then the service, then the router', () => {
  // `deployed-after` is known from schema version 3 on.
  expect(Number.parseFloat(mta['_schema-version'])).toBeGreaterThanOrEqual(3)
  expect(deployer['deployed-after']).toBeUndefined()
  expect(service['deployed-after']).toEqual([deployer.name])
  expect(router['deployed-after']).toEqual([service.name])
})

it('whoever uses what the deployer makes waits for it', () => {
  const [{ name: database }] = deployer.requires as [Named]
  const users = modules.filter(({ requires }) => requires.some(({ name }) => name === database))
  for (const each of users.filter((one) => one !== deployer))
    expect(each['deployed-after']).toContain(deployer.name)
})

it('all that is required is there, with the values that are taken from it', () => {
  const provided = modules.flatMap(({ provides = [] }) => provides)
  for (const { name, properties = {} } of modules.flatMap(({ requires }) => requires)) {
    if (resources.some((each) => each.name === name)) continue
    const values = Object.keys(provided.find((each) => each.name === name)!.properties)
    const taken = Object.values(properties).map((text) => /^~\{(.+)\}$/.exec(String(text))?.[1])
    expect(values).toEqual(expect.arrayContaining(taken.filter(Boolean)))
  }
})

it('the public address of the service is that of the router', () => {
  const given = service.requires.find(({ properties }) => properties?.RESTOCK_PUBLIC_URL)!
  expect(given.properties).toEqual({ RESTOCK_PUBLIC_URL: '~{router-url}' })
  expect(router.provides).toContainEqual({
    name: given.name,
    properties: { 'router-url': '${default-url}' },
  })
})

it('a start may take three minutes, and a database that is away restarts nothing', () => {
  expect(service.parameters).toMatchObject({
    'health-check-type': 'http',
    'health-check-http-endpoint': '/health/live',
    'health-check-timeout': 180,
    'readiness-health-check-type': 'http',
    'readiness-health-check-http-endpoint': '/health/ready',
  })
})

it('what is installed stands in a lock file, which names no registry', () => {
  expect(router['build-parameters']).toEqual({ builder: 'npm-ci' })
  const text = read(`${router.path}/package-lock.json`)
  expect(text).not.toMatch(/"resolved"|registry/)
  const { packages } = JSON.parse(text) as { packages: Record<string, { dependencies: object }> }
  const { dependencies } = JSON.parse(read(`${router.path}/package.json`)) as {
    dependencies: object
  }
  expect(packages['']!.dependencies).toEqual(dependencies)
})

it('names are those of one thing each, of the characters that there may be', () => {
  const provided = modules.flatMap(({ provides = [] }) => provides)
  const names = [mta.ID, ...[...modules, ...provided, ...resources].map(({ name }) => name)]
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  for (const name of names) expect(name).toMatch(/^[\w.-]+$/)
})

it('what is set is a setting, and none that is secret', () => {
  const found = settingsNamedIn(read('mta.yaml').replaceAll(/^\s*#.*$/gm, ''))
  expect(found).not.toEqual([])
  for (const name of found) expect(SETTING_NAMES).toContain(name)
  expect(found.filter((name) => SECRET_NAMES.includes(name))).toEqual([])
})

it('the extension of the guide extends it', () => {
  const [, chapter] = read('docs/guides/install.md').split('\n## SAP BTP\n')
  const [, text] = /```yaml\n([^]*?)```/.exec(chapter!)!
  const extension = parseYaml<{
    '_schema-version': string
    extends: string
    modules: { name: string; properties: Record<string, string> }[]
  }>(text!)
  expect(extension).toMatchObject({ '_schema-version': mta['_schema-version'], extends: mta.ID })
  for (const { name, properties } of extension.modules) {
    expect(modules.map((module) => module.name)).toContain(name)
    for (const setting of Object.keys(properties)) expect(SETTING_NAMES).toContain(setting)
  }
})
