// compose.yaml and the realm of Keycloak beside it: who may do what to whom, and that one fits the other.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROLES } from '../../srv/base/roles.ts'
import { stagesOf, valuesOf } from '../support/dockerfile.ts'
import { SETTING_NAMES, settingsNamedIn } from '../support/setting-names.ts'
import { readYaml } from '../support/yaml.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Container {
  image: string
  command?: string[]
  environment: Record<string, string>
  volumes: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  [option: string]: unknown
}
const { services, volumes } = readYaml<{
  services: Record<'db' | 'identity' | 'deploy' | 'restock' | 'demo', Container>
  volumes: object
}>(path.join(root, 'compose.yaml'))
const { db, identity, deploy, restock, demo } = services

interface Realm {
  realm: string
  roles: { realm: { name: string }[] }
  clients: [
    {
      clientId: string
      secret: string
      redirectUris: string[]
      attributes: Record<string, string>
      protocolMappers: { config: Record<string, string> }[]
    },
  ]
  users: { username: string; credentials: { value: string }[]; realmRoles: string[] }[]
}
const realm = JSON.parse(read('xmpls/keycloak/restock-realm.json')) as Realm
const [client] = realm.clients

it.each(['deploy', 'restock', 'demo'] as const)(
  '%s may write nowhere but where it should, and has no rights',
  (name) => {
    expect(services[name]).toMatchObject({
      ...{ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], image: restock.image },
      ...{ security_opt: ['no-new-privileges:true'], volumes: ['state:/var/lib/restock'] },
    })
  },
)

it('the tables come first, then the service, which may stop in peace', () => {
  expect(deploy.depends_on).toEqual({ db: { condition: 'service_healthy' } })
  expect(restock.depends_on).toMatchObject({
    deploy: { condition: 'service_completed_successfully' },
  })
  expect(Number.parseInt(String(restock.stop_grace_period))).toBeGreaterThanOrEqual(35)
})

it('each setting is one, and the programs are there', () => {
  const names = settingsNamedIn(Object.keys(restock.environment).join(' '))
  expect(names).not.toEqual([])
  for (const name of names) expect(SETTING_NAMES).toContain(name)
  for (const { command } of [deploy, demo]) {
    const [node, program] = command!
    expect(node).toBe('node')
    expect(existsSync(path.join(root, program!.replace(/\.js$/, '.ts')))).toBe(true)
  }
})

it('the demo is written where a source of the kind csv reads it, and there alone', () => {
  const { RESTOCK_CSV_ROOT: csvRoot } = valuesOf(
    stagesOf(path.join(root, 'Dockerfile')).at(-1)!,
    'ENV',
  )
  expect(demo.command!.at(-1)).toBe(`${csvRoot}/demo`)
  expect(demo.profiles).toEqual(['demo'])
})

it('nothing is open but to this machine', () => {
  for (const { ports = [] } of Object.values(services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/)
  expect(db.command).toContain('listen_addresses=localhost')
})

it('volumes and files that are named are there', () => {
  for (const { volumes: mounts = [] } of Object.values(services)) {
    for (const [source] of mounts.map((mount) => mount.split(':') as [string])) {
      if (source.startsWith('./')) expect(existsSync(path.join(root, source))).toBe(true)
      else expect(Object.keys(volumes)).toContain(source)
    }
  }
})

it('secrets stand in .env alone, which the guide makes anew', () => {
  const text = read('compose.yaml')
  const secrets = [...text.matchAll(/(\w*(?:PASSWORD|SECRET|_KEY)): (.+)/g)]
  expect(secrets).toHaveLength(5)
  for (const [, , value] of secrets) expect(value).toMatch(/^\$\{\w+:\?.+\}$/)
  const wanted = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!))
  const [, line] = /\n(\(umask.+)\n/.exec(read('docs/guides/install.md'))!
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-env-'))
  try {
    execFileSync('bash', ['-e', '-c', line!], { cwd: folder })
    const made = readFileSync(path.join(folder, '.env'), 'utf8').trim().split('\n')
    const values = new Map(
      made.map((each) => [each.split('=')[0]!, each.slice(each.indexOf('=') + 1)]),
    )
    expect([...values.keys()].sort()).toEqual([...wanted].sort())
    expect(Buffer.from(values.get('ENCRYPTION_KEY')!, 'base64')).toHaveLength(32)
    expect(new Set(values.values()).size).toBe(3)
    expect(statSync(path.join(folder, '.env')).mode & 0o077).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('Keycloak', () => {
  const { environment } = restock

  it('is the provider, at the same address for browsers and the service', () => {
    expect(environment.RESTOCK_IDENTITY_ISSUER).toBe(
      `${identity.environment.KC_HOSTNAME}/realms/${realm.realm}`,
    )
    expect([identity.network_mode, restock.network_mode]).toEqual(['service:db', 'service:db'])
  })

  it('knows the client and the addresses that lead back', () => {
    const url = environment.RESTOCK_PUBLIC_URL
    expect(client.clientId).toBe(environment.RESTOCK_IDENTITY_CLIENT_ID)
    expect(client.redirectUris).toEqual([`${url}/auth/callback`])
    expect(client.attributes).toMatchObject({
      'post.logout.redirect.uris': `${url}/auth/signed-out`,
      'backchannel.logout.url': `${url}/auth/backchannel-logout`,
      'pkce.code.challenge.method': 'S256',
    })
    expect(client.secret).toBe('${RESTOCK_CLIENT_SECRET}')
    expect(identity.environment.RESTOCK_CLIENT_SECRET).toBe(
      environment.RESTOCK_IDENTITY_CLIENT_SECRET,
    )
  })

  it('gives each role to somebody, in the claim that is read', () => {
    expect(realm.roles.realm.map(({ name }) => name).sort()).toEqual([...ROLES].sort())
    expect(realm.users.flatMap(({ realmRoles }) => realmRoles).sort()).toEqual([...ROLES].sort())
    const [{ config }] = client.protocolMappers as [{ config: Record<string, string> }]
    expect(config).toMatchObject({
      'claim.name': environment.RESTOCK_IDENTITY_ROLES_CLAIM,
      'id.token.claim': 'true',
      multivalued: 'true',
    })
    for (const { username, credentials } of realm.users)
      expect(credentials).toEqual([expect.objectContaining({ value: username })])
  })
})
