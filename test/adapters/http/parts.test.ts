import { Address } from '../../../adapters/http/address.ts'
import { Budget } from '../../../adapters/http/budget.ts'
import { connectionFailure } from '../../../adapters/http/failures.ts'
import { retryAfterMs } from '../../../adapters/http/retry-after.ts'
import { SIGNAL } from './server.ts'

describe('an address', () => {
  const address = Address.parse('gateway.example.com/erp/', 'account')

  it('is https where it does not say', () => {
    expect(address.origin).toBe('https://gateway.example.com')
    expect(address.url('/sap/x').href).toBe('https://gateway.example.com/erp/sap/x')
  })

  it('knows the paths below it', () => {
    expect(address.pathOf(new URL('https://gateway.example.com/erp/sap/x?y'))).toBe('/sap/x')
    expect(address.pathOf(new URL('https://gateway.example.com/other'))).toBeNull()
    expect(address.pathOf(new URL('https://example.com/erp/sap/x'))).toBeNull()
  })

  it('follows links within its origin only', () => {
    const page = address.url('/sap/set?a=1')
    expect(address.follow('set?$skiptoken=2', page).href).toBe(
      'https://gateway.example.com/erp/sap/set?$skiptoken=2',
    )
    for (const link of [
      'https://elsewhere.example.com/erp/sap/set',
      '//elsewhere.example.com/erp',
      'http://gateway.example.com/erp/sap/set',
      'https://gateway.example.com:8443/erp/sap/set',
      'https://user@gateway.example.com/erp/sap/set',
      'javascript:alert(1)',
    ]) {
      expect(() => address.follow(link, page)).toThrow(
        expect.objectContaining({ code: 'foreign_link' }),
      )
    }
  })

  it.each(['localhost', '127.0.0.1', '[::1]'])('may be plain http on %s', (host) => {
    expect(Address.parse(`http://${host}:4010`, 'account').isLoopback).toBe(true)
  })

  it.each(['http://10.0.0.1', 'http://localhost.example.com', 'http://127.0.0.1.example.com'])(
    'may not be %s',
    (text) => {
      expect(() => Address.parse(text, 'account')).toThrow(
        expect.objectContaining({ code: 'insecure_address', target: 'account' }),
      )
    },
  )
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 20, 6)
  it.each([
    ['7', 7_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 06:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 05:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j ms', (value, ms) => expect(retryAfterMs(value, now)).toBe(ms))
})

describe('a budget', () => {
  it('is halved by a refusal, once for all that come together, and grows back', () => {
    const budget = new Budget(8)
    budget.slowDown()
    budget.slowDown()
    expect(budget.concurrency).toBe(4)
    for (let answers = 0; answers < 50; answers++) budget.recordSuccess()
    expect(budget.concurrency).toBe(5)
    for (let answers = 0; answers < 1_000; answers++) budget.recordSuccess()
    expect(budget.concurrency).toBe(8)
  })

  it('never falls below one', async () => {
    const budget = new Budget(1)
    budget.slowDown()
    expect(budget.concurrency).toBe(1)
    expect(await budget.run(async () => 'done', 1_000, SIGNAL)).toBe('done')
  })

  it('sends nothing while the ERP wants to be left alone, of what waits for its turn too', async () => {
    const budget = new Budget(1)
    let quietUntil = Infinity
    const refused = budget.run(
      async () => {
        budget.slowDown(300)
        quietUntil = Date.now() + 300
      },
      ...[60_000, SIGNAL],
    )
    const waiting = budget.run(async () => Date.now(), 60_000, SIGNAL)
    await refused
    expect(await waiting).toBeGreaterThanOrEqual(quietUntil - 5)
  })

  it('lets nobody wait for longer than they would', async () => {
    const budget = new Budget(2)
    budget.slowDown(90_000)
    const run = budget.run(async () => 'done', 60_000, SIGNAL)
    await expect(run).rejects.toMatchObject({ name: 'Retriable' })
  })
})

describe('a failed connection', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_untrusted'],
    ['CERT_HAS_EXPIRED', 'tls_untrusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_untrusted'],
    ['ECONNREFUSED', undefined],
    ['ENOTFOUND', undefined],
    ['ECONNRESET', undefined],
  ])('%s is %j', (code, fatal) => {
    const error = connectionFailure({ code, message: 'secret' }, 'GET /x')
    expect((error as { code?: string }).code).toBe(fatal)
    expect(error.message).not.toContain('secret')
  })
})
