import cds from '@sap/cds'
import {
  checkTarget,
  isPublicAddress,
  postEvent as send,
} from '../../../srv/domain/webhooks/post.ts'
import { errorOf, post } from '../v1/api.ts'
import { Receiver } from './receiver.ts'

beforeEach(() => {
  delete process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE
})

const refused = { status: 400, code: 'webhook_target_refused', target: 'url' }

describe('a webhook to', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://10.1.2.3/',
    'https://172.16.0.1:8443/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://198.18.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://db.internal/',
    'https://printer.local/',
    'https://intranet/',
    'https://①②⑦.0.0.1/',
    'http://127.0.0.1:8080/',
    'http://example.org/',
  ])('%s is refused', async (url) => {
    expect(errorOf(await post('/webhooks', { url }))).toEqual(refused)
  })

  it('a name of a private address is refused, of a public one and of none taken', async () => {
    const at = (...addresses: string[]) =>
      checkTarget('https://hooks.example.org/x', async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    await expect(at('10.0.0.1')).rejects.toMatchObject({ code: refused.code })
    await expect(at('93.184.215.14', '::1')).rejects.toMatchObject({ code: refused.code })
    await expect(at('93.184.215.14')).resolves.toBe('https://hooks.example.org/x')
    const unknown = checkTarget('https://hooks.example.org/x', () => Promise.reject(new Error()))
    await expect(unknown).resolves.toBe('https://hooks.example.org/x')
  })
})

it.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

describe('at the delivery', () => {
  const signal = new AbortController().signal
  const resolvesTo = (address: string) => async () => [{ address, family: 4 }]
  let receiver: Receiver

  beforeEach(async () => {
    receiver = await new Receiver().start()
  })
  afterEach(() => receiver.stop())

  it('a name that has become private is not connected to', async () => {
    const url = `https://hooks.example.org:${receiver.port}/`
    const outcome = await send(url, '{}', {}, { signal, resolve: resolvesTo('127.0.0.1') })
    expect(outcome).toMatchObject({ status: null, problem: expect.stringMatching(/not.*public/) })
    expect(receiver.heard).toEqual([])
  })

  it('an address that is private is not connected to', async () => {
    const outcome = await send(`https://127.0.0.1:${receiver.port}/`, '{}', {}, { signal })
    expect(outcome).toMatchObject({ status: null, problem: expect.stringMatching(/not.*public/) })
    expect(receiver.heard).toEqual([])
  })

  it('the address that was checked is the one connected to, looked up once', async () => {
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    let lookups = 0
    const resolve = async () => {
      lookups++
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    const url = `http://hooks.example.org:${receiver.port}/x`
    const outcome = await send(url, '{}', {}, { signal, resolve })
    expect([outcome.status, lookups]).toEqual([204, 1])
    expect(receiver.heard[0]!.headers.host).toBe(`hooks.example.org:${receiver.port}`)
  })

  it('no proxy of the environment is used', async () => {
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    const proxy = await new Receiver((response) => response.writeHead(502).end()).start()
    process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${proxy.port}`
    try {
      expect((await send(receiver.url, '{}', {}, { signal })).status).toBe(204)
      expect(proxy.heard).toEqual([])
    } finally {
      delete process.env.HTTP_PROXY
      delete process.env.http_proxy
      await proxy.stop()
    }
  })

  it.each([
    ['does not answer', () => {}, null, 300],
    [
      'trickles its headers',
      (response: { socket: { write(text: string): void } | null }) => {
        const timer = setInterval(() => response.socket?.write('H'), 20)
        setTimeout(() => clearInterval(timer), 1000)
      },
      null,
      300,
    ],
    [
      'never ends its body',
      (response: { writeHead(status: number): void; write(text: string): void }) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('x'), 20)
        setTimeout(() => clearInterval(timer), 1000)
      },
      200,
      // Its status must have come by then.
      3000,
    ],
  ])('a receiver that %s is waited for no longer than the limit', async (...given) => {
    const [, behave, status, timeoutMs] = given
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    receiver.behave = behave
    const outcome = await send(receiver.url, '{}', {}, { signal, timeoutMs })
    expect(outcome.status).toBe(status)
  })

  it('of an endless answer only the beginning is read', async () => {
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    receiver.behave = (response) => {
      response.writeHead(500)
      const more = () => {
        while (!response.destroyed && response.write('y'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    }
    const outcome = await send(receiver.url, '{}', {}, { signal })
    expect(outcome).toMatchObject({ status: 500, problem: 'y'.repeat(200) })
  })
})

describe('RESTOCK_WEBHOOKS_ALLOW_PRIVATE in production', () => {
  beforeEach(() => {
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    cds.env.profiles.push('production')
  })
  afterEach(() => {
    cds.env.profiles.splice(cds.env.profiles.indexOf('production'), 1)
  })

  it.each(['https://127.0.0.1/', 'http://localhost:8080/', 'https://10.1.2.3/'])(
    'does not open %s',
    async (url) => {
      await expect(checkTarget(url)).rejects.toMatchObject({ code: 'webhook_target_refused' })
    },
  )
})
