import cds from '@sap/cds'
import '../../../srv/base/cap/log.ts'

const written: string[] = []
// eslint-disable-next-line no-console -- what the service writes goes through it
console.log = (line: string) => void written.push(line)

it('writes at the level of each logger, whichever was made first', () => {
  const quiet = cds.log('log-test-quiet', 'warn')
  const usual = cds.log('log-test-usual')
  quiet.info('not this')
  quiet.warn('this')
  usual.info('and that')
  usual.debug('nor this')
  expect(written.map((line) => line.trim())).toEqual([
    'WARN [log-test-quiet] this',
    '[log-test-usual] and that',
  ])
})

const PASSWORD = 'p4ss w0rd"x'
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJiZWEifQ.c2lnbmF0dXJl'
const KEY = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const OPAQUE = 'Zm9vYmFyYmF6-_x'

/** Every kind of secret that we have, in the forms in which it may come into a line. */
const LINES: [what: string, secret: string, ...line: unknown[]][] = [
  ['an API key', OPAQUE, `called with rsk_0123456789abcdef_${OPAQUE}`],
  ['an API key in a header', OPAQUE, { authorization: `Bearer rsk_0123456789abcdef_${OPAQUE}` }],
  ["a webhook's secret", OPAQUE, { secret: `whsec_${OPAQUE}` }],
  ["a webhook's secret in a text", OPAQUE, `signed by whsec_${OPAQUE}`],
  ['basic credentials', 'YnV5ZXI6YnV5ZXI', 'Authorization: Basic YnV5ZXI6YnV5ZXI='],
  ['an access token', 'c2lnbmF0dXJl', `refused: ${JWT}`],
  ['a token of xssec', OPAQUE, Object.assign(new Error('no'), { jwt: OPAQUE })],
  ['an opaque token', OPAQUE, { access_token: OPAQUE, refresh_token: OPAQUE }],
  ['our own tokens', OPAQUE, { accessToken: OPAQUE, refreshToken: OPAQUE, idToken: OPAQUE }],
  ['a token in JSON', OPAQUE, JSON.stringify({ id_token: OPAQUE })],
  ['a token in JSON within JSON', OPAQUE, JSON.stringify({ body: `{"access_token":"${OPAQUE}"}` })],
  ['a token in a form', OPAQUE, `grant_type=refresh_token&refresh_token=${OPAQUE}&x=1`],
  ['a hint', OPAQUE, `/session/end?id_token_hint=${OPAQUE}`],
  ["a client's secret", PASSWORD, { clientSecret: PASSWORD }],
  ["a client's secret in a form", OPAQUE, `client_id=a&client_secret=${OPAQUE}`],
  ['a verifier', OPAQUE, { code_verifier: OPAQUE, verifier: 'x' }],
  ['a code and a state', OPAQUE, `GET /auth/callback?code=${OPAQUE}&state=${OPAQUE}`],
  ['a password', PASSWORD, { user: 'a', password: PASSWORD }],
  ['a password in JSON', PASSWORD, JSON.stringify({ password: PASSWORD })],
  ["a mail server's password", OPAQUE, `smtps://restock:${OPAQUE}@mail.example.com`],
  ["a database's password", OPAQUE, `postgres://restock:${OPAQUE}@db:5432/restock`],
  ['a session', OPAQUE, { cookie: `a=b; __Host-restock=${OPAQUE}; c=d` }],
  ['a session in a line', OPAQUE, `Set-Cookie: restock=${OPAQUE}; Path=/`],
  ['a sign-in', OPAQUE, `__Host-restock-sign-in=${OPAQUE}`],
  [
    'a private key',
    'MIIEvQIBADANB',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANB\n-----END PRIVATE KEY-----',
  ],
  ['the encryption key, wherever it stands', KEY, `Error near ${KEY}`],
]

it.each(LINES)('a log never holds %s', (_what, secret, ...line) => {
  process.env.RESTOCK_ENCRYPTION_KEY = KEY
  written.length = 0
  const log = cds.log('log-test-secrets')
  log.warn('before', ...line, 'after')
  log.warn(new Error('failed', { cause: line[0] }))
  delete process.env.RESTOCK_ENCRYPTION_KEY
  const text = written.join('\n')
  expect(text).toContain('before')
  for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) expect(text).not.toContain(form)
})

it('a sign-in that was refused leaves no password in the log', () => {
  written.length = 0
  const sent = Object.assign(
    new Error(`Unexpected token 'b', "buyer:${PASSWORD}" is not valid JSON`),
    {
      jwt: Buffer.from(`buyer:${PASSWORD}`).toString('base64'),
    },
  )
  cds.log('auth').warn('Unauthenticated request:', sent)
  expect(written.map((line) => line.trim())).toEqual(['WARN [auth] Unauthenticated request: Error'])
})

it('what is no secret stays readable', () => {
  written.length = 0
  cds
    .log('log-test-plain')
    .warn('sync sync_1 of src_2: 3 rows, key SKU-1 at https://erp.example/a?b=c')
  expect(written[0]).toContain(
    'sync sync_1 of src_2: 3 rows, key SKU-1 at https://erp.example/a?b=c',
  )
})
