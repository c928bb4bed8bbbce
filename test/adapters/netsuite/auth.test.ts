import { adapter } from './support.ts'

const connection = (given: object = {}, options: Record<string, unknown> = {}) => ({
  ...{ account: '1234567_SB1', role: '1042', baseUrl: null },
  ...given,
  options: adapter.options.parse(options),
})

describe('an account', () => {
  it.each([
    ['1234567', '1234567'],
    ['1234567_SB1', '1234567-sb1'],
    ['1234567-rp2', '1234567-rp2'],
    ['TSTDRV123', 'tstdrv123'],
  ])('%s is that of the host %s', (account, host) => {
    expect(adapter.auth(connection({ account }))).toMatchObject({
      kind: 'authorization_code',
      authorizationEndpoint: `https://${host}.app.netsuite.com/app/login/oauth2/authorize.nl`,
      tokenEndpoint: `https://${host}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
      ...{ scopes: ['rest_webservices'], usesPkce: true, needsHttps: true, consentDays: 7 },
    })
  })

  it.each(['', 'evil.example/x', '1234567.evil.example', '123_SBX', 'a b', 'x'.repeat(60)])(
    'is not %j',
    (account) => {
      expect(() => adapter.auth(connection({ account }))).toThrow(
        expect.objectContaining({ code: 'invalid_account', target: 'account' }),
      )
    },
  )
})

it.each(['', 'Z_READ', '12x', '-1'])('a role is not %j', (role) => {
  expect(() => adapter.auth(connection({ role }))).toThrow(
    expect.objectContaining({ code: 'invalid_role', target: 'role' }),
  )
})

it('expects the account and the role that were asked for', () => {
  const plan = adapter.auth(connection()) as { expects?: never }
  const [company, role] = plan.expects! as {
    name: string
    isExpected(value: string | null): boolean
  }[]
  expect([company!.name, role!.name]).toEqual(['company', 'role'])
  expect(['1234567_SB1', '1234567-sb1'].every((one) => company!.isExpected(one))).toBe(true)
  expect(['1234567', null, ''].some((one) => company!.isExpected(one))).toBe(false)
  expect(role!.isExpected('1042')).toBe(true)
  expect(['3', null].some((one) => role!.isExpected(one))).toBe(false)
})

it('signs with a certificate, of which it needs the number', () => {
  const options = { auth: 'client_credentials', certificate_id: 'cert-1' }
  expect(adapter.auth(connection({}, options))).toMatchObject({
    ...{ kind: 'client_credentials', assertion: { keyId: 'cert-1' } },
  })
  expect(() => adapter.auth(connection({}, { auth: 'client_credentials' }))).toThrow(
    expect.objectContaining({ target: 'options.certificate_id' }),
  )
  expect(adapter.options.safeParse({ time_zone: 'Mars/Base' }).success).toBe(false)
})
