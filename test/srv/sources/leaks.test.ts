// Every secret that was entered or given out is searched for, byte by byte, wherever it must not be.
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { capturedOutput } from './captured-output.ts'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import axios, { type AxiosError } from 'axios'
import cds from '@sap/cds'
import { get, post } from '../v1/api.ts'
import {
  begin,
  codePlan,
  credentialsOf,
  erp,
  newSource,
  useConsent,
  visit,
} from './consent-adapter.ts'
import { CLIENT } from './oauth-server.ts'
import { temporaryFolder } from '../../support/configure.ts'
import { maskSecrets } from '../../../srv/base/log/output.ts'

const { SELECT } = cds.ql
beforeAll(() => useConsent(codePlan()))
afterAll(() => erp.close())

/** All that the service stores, as text. */
async function stored(): Promise<string> {
  const rows: unknown[] = []
  for (const entity of Object.values(cds.entities('restock'))) {
    if (!('query' in entity && entity.query)) rows.push(await SELECT.from(entity.name))
  }
  const files = await readdir(temporaryFolder)
  const bytes = files
    .filter((file) => file.includes('sqlite'))
    .map((file) => readFile(path.join(temporaryFolder, file), 'latin1'))
  return [JSON.stringify(rows), ...(await Promise.all(bytes))].join('\n')
}

it('no secret is found in the database, the logs or the answers', async () => {
  const answers: string[] = []
  const states: string[] = []
  const consent = async (account: string) => {
    const created = await post('/sources', newSource(account))
    const { id, authorization_url: beginning } = created.json
    const page = await begin(beginning!)
    states.push(new URL(beginning!).searchParams.get('ticket')!)
    states.push(new URL(page).searchParams.get('state')!)
    return { id, page }
  }
  const good = await consent('good')
  answers.push((await visit(erp.allow(good.page))).text)
  const credentials = await credentialsOf(good.id)
  let header = await credentials.authorization()
  header = await credentials.authorization(header)
  erp.scope = () => 'OTHER_0001'
  await credentials.authorization(header).catch((error: Error) => answers.push(String(error.stack)))
  answers.push((await visit(erp.allow((await consent('greedy')).page))).text)
  erp.scope = null
  Object.assign(erp, { broken: { status: 400, body: '{"error":"invalid_request"}' } })
  answers.push((await visit(erp.allow((await consent('broken')).page))).text)
  erp.broken = null
  answers.push((await get('/sources')).text, JSON.stringify(await SELECT.from(AuditLog)))
  await careless()
  const basic = `${CLIENT.id}:${CLIENT.secret}`
  const secrets = [basic, ...erp.secrets, ...states, ...verifiers()]
  expect(secrets.length).toBeGreaterThan(10)
  const everything = {
    database: await stored(),
    log: capturedOutput.join('\n'),
    answers: answers.join('\n'),
  }
  expect(everything.database).toContain('client_secret')
  expect(everything.log).toContain('a careless line')
  for (const [place, text] of Object.entries(everything)) {
    for (const secret of secrets) {
      for (const form of [secret, encodeURIComponent(secret), base64(secret)]) {
        expect({ place, found: text.includes(form) }).toEqual({ place, found: false })
      }
    }
  }
})

/** Somebody logs all there is of a failed call. */
async function careless() {
  const auth = { username: CLIENT.id, password: CLIENT.secret }
  const data = new URLSearchParams({ client_secret: CLIENT.secret }).toString()
  const error = await axios.post(`${erp.url}/none`, data, { auth }).catch((all: AxiosError) => all)
  cds.log('test').error('a careless line', error.config!.headers, data, { data })
}

const verifiers = () =>
  erp.calls.map((call) => call.get('code_verifier')).filter((verifier) => verifier !== null)

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '')

it.each([
  ['Authorization: Bearer abc.def-123', 'abc'],
  ['authorization: bearer abc.def-123', 'abc'],
  ["{ access_token: 'abc', expires_in: 5 }", 'abc'],
  ['{"refresh_token":"abc/+=="}', 'abc'],
  ['grant_type=x&client_secret=abc%20d&y=1', 'abc'],
  ["{ clientSecret: 'abc' }", 'abc'],
  ['GET /oauth/callback?code=abc&state=def', 'abc'],
  ['GET /oauth/callback?code=xyz&state=abc', 'abc'],
  ['GET /oauth/authorize?ticket=abc', 'abc'],
  ['cookies: restock-consent-12=abc; other=1', 'abc'],
  ['code_verifier=abc', 'abc'],
])('a log line is cut: %s', (line, secret) => {
  expect(maskSecrets(line)).not.toContain(secret)
})

it('a log line keeps what is no secret', () => {
  const line =
    "{ code: 'invalid_grant', status: 400 } state of src_1: connected, access_token missing"
  expect(maskSecrets(line)).toBe(line)
})
