// The chart for Kubernetes and Kyma: its values against its schema, the service's settings and the guides; and where Helm is on the PATH
// what comes of its templates.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { stagesOf, textsOf, valuesOf } from '../support/dockerfile.ts'
import { SECRET_NAMES, SETTING_NAMES, settingsNamedIn } from '../support/setting-names.ts'
import { parseDocuments, parseYaml, readYaml } from '../support/yaml.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const templates = globSync('chart/templates/*.{tpl,yaml,txt}', { cwd: root })
const textOfTemplates = templates.map(read).join('\n')
const image = stagesOf(path.join(root, 'Dockerfile')).at(-1)!

interface Size {
  cpu: string
  memory: string
  heapMegabytes: number
}
interface Values {
  [name: string]: unknown
  sizes: Record<string, Size>
  settings: Record<string, unknown>
  shutdown: { readySeconds: number; forceSeconds: number }
}
const defaults = readYaml<Values>(path.join(root, 'chart/values.yaml'))
const schema = JSON.parse(read('chart/values.schema.json')) as {
  properties: Record<string, { properties?: Record<string, unknown> }>
}
const validate = new Ajv({ allErrors: true }).compile(schema)

/** As Helm merges the values of a user over those of the chart. */
function merged(base: object, over: object): object {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = result[name]
    const areGroups = [before, value].every(
      (each) => each && typeof each === 'object' && !Array.isArray(each),
    )
    result[name] = areGroups ? merged(before as object, value as object) : (value as unknown)
  }
  return result
}

/** What does not fit, as the path of the value. */
function faultsOf(values: object): string[] {
  if (validate(merged(defaults, values))) return []
  return [...new Set(validate.errors!.map(({ instancePath }) => instancePath))]
}

/** The values that the guide shows. */
const [, chapter] = read('docs/guides/install.md').split('\n## Kubernetes and Kyma\n')
const shown = [...chapter!.split('\n## ')[0]!.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) =>
  parseYaml<Values>(text!),
)
const [forIngress, forKyma] = shown as [Values, Values]

const publicUrl = 'https://restock.example.com'

describe('values', () => {
  it('the address is all that must be named', () => {
    expect(faultsOf({})).toEqual(['/publicUrl'])
    expect(faultsOf({ publicUrl })).toEqual([])
  })

  it('those of the guide are right', () => {
    expect(shown).toHaveLength(2)
    for (const values of shown) {
      expect(faultsOf(values)).toEqual([])
      for (const name of Object.keys(values.settings)) expect(SETTING_NAMES).toContain(name)
    }
  })

  it.each([
    ['an address without https', { publicUrl: 'http://restock.example.com' }, '/publicUrl'],
    ['a size that is none', { size: 'huge' }, '/size'],
    ['no instance', { replicas: 0 }, '/replicas'],
    ['a misspelt value', { replica: 2 }, ''],
    ['what is no setting', { settings: { FORECAST: 1 } }, '/settings'],
    ['a stop that is too short', { shutdown: { forceSeconds: 2 } }, '/shutdown/forceSeconds'],
    ['a password', { database: { password: 'x' } }, '/database'],
    ['metrics at the public port', { metrics: { port: 4004 } }, '/metrics/port'],
  ])('%s is refused', (_, values, at) => {
    expect(faultsOf({ publicUrl, ...values })).toContain(at)
  })

  it('settings that are secret, or that the chart sets itself, are refused', () => {
    const manifests = templates.filter((name) => !name.endsWith('.txt')).map(read)
    const byChart = settingsNamedIn(manifests.join('\n'))
    const byImage = Object.keys(valuesOf(image, 'ENV')).filter((name) =>
      name.startsWith('RESTOCK_'),
    )
    const { properties } = schema.properties.settings!
    for (const name of [...SECRET_NAMES, ...byChart, ...byImage]) {
      expect(SETTING_NAMES).toContain(name)
      expect(Object.entries(properties!)).toContainEqual([name, false])
    }
  })

  it('each is in the schema, and used by a template', () => {
    const leaves = (group: object, before = ''): string[] =>
      Object.entries(group as Record<string, unknown>).flatMap(([name, value]) => {
        const isGroup = value && typeof value === 'object' && !Array.isArray(value)
        const isOpen = /^\.(sizes|settings|database\.keys)$/.test(`${before}.${name}`)
        const isEmpty = isGroup && !Object.keys(value).length
        return isGroup && !isOpen && !isEmpty
          ? leaves(value as object, `${before}.${name}`)
          : [`${before}.${name}`]
      })
    const used = new Set(
      [...textOfTemplates.matchAll(/(?:\.Values|\$values)((?:\.\w+)+)/g)].map(([, at]) => at!),
    )
    const known = leaves(defaults)
    for (const each of known) expect([...used].some((at) => at.startsWith(each))).toBe(true)
    for (const at of used) expect(known.some((each) => at.startsWith(each))).toBe(true)
    expect(Object.keys(schema.properties).filter((name) => name !== 'global')).toEqual(
      expect.arrayContaining(Object.keys(defaults)),
    )
  })
})

it('sizes are those of the guide, and half of the memory is the heap', () => {
  const rows = [
    ...read('docs/guides/sizing.md').matchAll(/\| up to [\d,]+ +\| (\d) cores?, (\d) GB/g),
  ]
  const found = Object.values(defaults.sizes).map(({ cpu, memory }) => [cpu, memory])
  expect(found).toEqual(rows.map(([, cores, memory]) => [cores, `${memory}Gi`]))
  for (const { memory, heapMegabytes } of Object.values(defaults.sizes))
    expect(heapMegabytes).toBe(Number.parseInt(memory) * 512)
})

it('the version is that of the service', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(readYaml(path.join(root, 'chart/Chart.yaml'))).toMatchObject({
    version,
    appVersion: version,
  })
})

// From here on by Helm itself.

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-chart-'))
afterAll(() => rmSync(folder, { recursive: true }))
const whereHelmIs = spawnSync('helm', ['version']).error ? describe.skip : describe

interface Manifest {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown>
}
interface Pod {
  containers: [Record<string, unknown> & { env: { name: string; value?: string }[] }]
  securityContext: object
  [option: string]: unknown
}

function render(values: object): Manifest[] {
  const file = path.join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const args = ['template', 'restock', path.join(root, 'chart'), '--values', file]
  return parseDocuments<Manifest>(execFileSync('helm', args, { encoding: 'utf8', stdio: 'pipe' }))
}
const kinds = (manifests: Manifest[]) => manifests.map(({ kind }) => kind).sort()
const named = (manifests: Manifest[], kind: string) => manifests.find((each) => each.kind === kind)!
const podOf = (manifest: Manifest) => (manifest.spec.template as { spec: Pod }).spec

whereHelmIs('its templates', () => {
  const usual = ['Deployment', 'Job', 'PodDisruptionBudget', 'Service', 'ServiceAccount']

  it('make what the guide says, and no more', () => {
    expect(kinds(render({ publicUrl }))).toEqual(usual)
    expect(kinds(render({ publicUrl, replicas: 1 }))).not.toContain('PodDisruptionBudget')
    expect(kinds(render(forIngress))).toEqual([...usual, 'Ingress'].sort())
    expect(kinds(render(forKyma))).toEqual([...usual, 'APIRule'].sort())
    const from = [{ namespaceSelector: {} }]
    expect(kinds(render({ publicUrl, networkPolicy: { from } }))).toContain('NetworkPolicy')
  })

  it('refuse what does not fit, and say what', () => {
    expect(() => render({})).toThrow('publicUrl')
    const settings = { RESTOCK_SMTP_URL: 'smtps://example.com' }
    expect(() => render({ publicUrl, settings })).toThrow('RESTOCK_SMTP_URL')
  })

  it('let pods change nothing, and run as the user of the image', () => {
    const [uid] = textsOf(image, 'USER')[0]!.split(':').map(Number)
    for (const kind of ['Deployment', 'Job']) {
      const pod = podOf(named(render({ publicUrl }), kind))
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
      expect(pod.securityContext).toMatchObject({
        ...{ runAsNonRoot: true, runAsUser: uid, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('wait for a stop for longer than the service may take', () => {
    const graceOf = (shutdown: object) =>
      podOf(named(render({ publicUrl, shutdown }), 'Deployment')).terminationGracePeriodSeconds
    expect(graceOf({})).toBe(35)
    expect(graceOf({ readySeconds: 60 })).toBe(78)
    expect(graceOf({ forceSeconds: 100 })).toBe(110)
  })

  it('ask the right door for each question', () => {
    const [container] = podOf(named(render({ publicUrl }), 'Deployment')).containers
    const at = (door: string) => ({ path: `/health/${door}`, port: 'http' })
    expect(container).toMatchObject({
      startupProbe: { httpGet: at('live'), periodSeconds: 2, failureThreshold: 90 },
      livenessProbe: { httpGet: at('live'), failureThreshold: 3 },
      readinessProbe: { httpGet: at('ready'), periodSeconds: 2, failureThreshold: 1 },
      ports: [{ name: 'http', containerPort: Number(valuesOf(image, 'ENV').PORT) }],
    })
  })

  it('roll, so that nobody notices', () => {
    const strategyOf = (values: object) =>
      named(render({ publicUrl, ...values }), 'Deployment').spec.strategy
    const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
    expect(strategyOf({})).toEqual(rolling)
    expect(strategyOf({ strategy: 'Recreate' })).toEqual({ type: 'Recreate' })
  })

  it('make the tables before, as their owner where that is another user', () => {
    const job = named(render({ publicUrl, database: { ownerSecret: 'restock-owner' } }), 'Job')
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    const [container] = podOf(job).containers
    const nameOfSecret = (variable: string) =>
      (container.env.find(({ name }) => name === variable) as never as SecretRef).valueFrom
        .secretKeyRef
    expect(container.command).toEqual(['node', 'srv/base/start/deploy.js'])
    expect(container.args).toEqual(['--service-user', '$(SERVICE_USER)'])
    expect(nameOfSecret('SERVICE_USER')).toEqual({ name: 'restock-database', key: 'user' })
    expect(nameOfSecret('CDS_REQUIRES_DB_CREDENTIALS_USER').name).toBe('restock-owner')
  })

  it('let Prometheus reach a port of its own, where that is wanted', () => {
    const from = [{ namespaceSelector: {} }]
    const off = render({ publicUrl, networkPolicy: { from } })
    expect(JSON.stringify(off)).not.toMatch(/metrics|prometheus/i)
    const on = render({ publicUrl, networkPolicy: { from }, metrics: { enabled: true, from } })
    const { spec } = named(on, 'Deployment')
    const { metadata } = spec.template as Manifest
    expect(metadata.annotations).toMatchObject({ 'prometheus.io/port': '9464' })
    const [container] = podOf(named(on, 'Deployment')).containers
    expect(container.ports).toContainEqual({ name: 'metrics', containerPort: 9464 })
    expect(container.env).toContainEqual({ name: 'RESTOCK_METRICS_PORT', value: '9464' })
    expect(named(on, 'NetworkPolicy').spec.ingress).toMatchObject([
      { ports: [{ port: 'http' }] },
      { ports: [{ port: 'metrics' }] },
    ])
    expect(JSON.stringify(named(on, 'Service'))).not.toContain('metrics')
  })

  it('set each setting as the service reads it', () => {
    const [{ env }] = podOf(named(render(forKyma), 'Deployment')).containers
    const value = (wanted: string) => env.find(({ name }) => name === wanted)?.value
    expect(value('RESTOCK_IDENTITY_ROLE_NAMES')).toBe(
      '{"RESTOCK_ADMIN":"Admin","RESTOCK_BUYER":"Buyer"}',
    )
    expect(value('RESTOCK_TRUST_PROXY')).toBe('1')
    expect(value('RESTOCK_AUDIT_ANCHOR_FILE')).toBe('off')
    expect(value('NODE_OPTIONS')).toBe('--max-old-space-size=512')
    const twice = env.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) !== at)
    expect(twice).toEqual([])
  })
})

interface SecretRef {
  valueFrom: { secretKeyRef: { name: string; key: string } }
}
