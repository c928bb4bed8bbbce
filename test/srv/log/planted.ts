// One of each kind of secret that comes into a log, each unmistakable.
import { generateKeyPairSync, randomBytes } from 'node:crypto'

const opaque = () => randomBytes(24).toString('base64url')
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const [pem] = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
  .match(/(?<=-----\n)[^-]+/)!

export const SECRETS = {
  bearer: opaque(),
  token: `${part({ alg: 'none' })}.${part({ sub: opaque() })}.${opaque()}`,
  password: opaque(),
  key: opaque(),
  cookie: opaque(),
  clientSecret: opaque(),
  privateKey: pem.trim(),
  webhookSecret: opaque(),
  encryptionKey: randomBytes(32).toString('base64'),
  smtpPassword: opaque(),
  databasePassword: opaque(),
}
export type Planted = typeof SECRETS

/** The kinds whose secret stands in a text. */
export const found = (text: string, secrets: Planted) =>
  Object.entries(secrets)
    .filter(([, secret]) =>
      [secret, JSON.stringify(secret).slice(1, -1)].some((form) => text.includes(form)),
    )
    .map(([kind]) => kind)

/** How each comes into a line: in a text, in an object, in an error. */
export const linesWith = (secrets: Planted): unknown[][] => {
  const pem = `-----BEGIN PRIVATE KEY-----\n${secrets.privateKey}\n-----END PRIVATE KEY-----`
  return [
    [`GET /v1/proposals with Authorization: Bearer ${secrets.bearer}`],
    ['refused:', secrets.token],
    ['%s failed', `user=a&password=${secrets.password}&x=1`, { password: secrets.password }],
    [`key rsk_0123456789abcdef_${secrets.key}`],
    [{ headers: { cookie: `a=b; __Host-restock=${secrets.cookie}` } }],
    [`Cookie: theme=dark; session=${secrets.cookie}\r\nAccept: */*`],
    [Object.assign(new Error('no'), { config: { data: `client_secret=${secrets.clientSecret}` } })],
    [new Error('outer', { cause: new Error(`the key is ${pem}`) }), { pem }],
    [JSON.stringify({ body: JSON.stringify({ secret: `whsec_${secrets.webhookSecret}` }) })],
    [`cannot decrypt with ${secrets.encryptionKey}`],
    [`smtps://restock:${secrets.smtpPassword}@mail.example.com`, secrets.smtpPassword],
    ['connect', `postgres://restock:${secrets.databasePassword}@db/restock`],
    ['password authentication failed for', secrets.databasePassword],
  ]
}
