import { setTimeout as sleep } from 'node:timers/promises'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { countedTokens, failureOf, json, SIGNAL, startServer } from './server.ts'

let server: Awaited<ReturnType<typeof startServer>>
afterEach(() => server.close())

const serve = async (...answer: Parameters<typeof startServer>) =>
  (server = await startServer(...answer))

describe('a request', () => {
  it('brings JSON, the clock of the ERP, and the address for relative links', async () => {
    await serve((_asked, response) =>
      json(response, { ä: 1 }, { date: 'Fri, 20 Nov 2026 06:00:00 GMT' }),
    )
    const url = new URL('/data/a?x=1', server.url)
    const answer = await server.client().get(url, SIGNAL)
    const serverTime = Date.UTC(2026, 10, 20, 6)
    expect(answer).toEqual({ body: { ä: 1 }, url, serverTime, cookies: [] })
  })

  it.each([
    ['DELETE', '/data/a'],
    ['POST', '/data/a'],
    ['POST', '/query/more'],
    ['GET', '/other'],
    ['GET', '/data/a/b'],
    ['GET', '/data/a%2f..%2fother'],
    ['GET', '/x/data/a'],
  ])('is refused before a socket opens: %s %s', async (method, path) => {
    await serve((_asked, response) => json(response, {}))
    const url = new URL(path, server.url)
    const client = server.client()
    const ask = { GET: () => client.get(url, SIGNAL), POST: () => client.post(url, {}, SIGNAL) }
    if (method in ask) {
      const error = await failureOf(ask[method as 'GET']())
      expect(error).toBeInstanceOf(Fatal)
      expect(error).toMatchObject({ code: 'request_not_allowed' })
    } else {
      expect(client).not.toHaveProperty(method.toLowerCase())
    }
    expect(server.asked).toEqual([])
  })

  it('is refused to another origin than the address', async () => {
    await serve((_asked, response) => json(response, {}))
    const error = await failureOf(server.client().get(new URL('http://127.0.0.1:1/data/a'), SIGNAL))
    expect(error).toMatchObject({ code: 'request_not_allowed' })
  })

  it('may be a POST that reads', async () => {
    await serve((_asked, response) => json(response, { rows: [] }))
    const answer = await server.client().post(new URL('/query', server.url), { q: 1 }, SIGNAL)
    expect(answer.body).toEqual({ rows: [] })
    expect(server.asked).toMatchObject([{ method: 'POST', url: '/query' }])
  })
})

describe('a refusal', () => {
  const get = (settings = {}) => server.client(settings).get(new URL('/data/a', server.url), SIGNAL)

  it('by 401 is met with another token, once', async () => {
    await serve(({ authorization }, response) =>
      authorization === 'Bearer token-1' ? json(response, {}) : response.writeHead(401).end(),
    )
    const credentials = countedTokens()
    await get({ credentials })
    expect(credentials.refused).toEqual(['Bearer token-0'])
    expect(server.asked).toHaveLength(2)
  })

  it('by 401 again is the end', async () => {
    await serve((_asked, response) => response.writeHead(401).end())
    const credentials = countedTokens()
    expect(await failureOf(get({ credentials }))).toMatchObject({ code: 'unauthorized' })
    expect(server.asked).toHaveLength(2)
  })

  it('by 403 is never tried again, and says what the ERP says', async () => {
    await serve((_asked, response) =>
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code: 'X', message: { value: 'No\nauthorization' } } })),
    )
    const error = await failureOf(get())
    expect(error).toMatchObject({ code: 'forbidden', message: 'GET /data/a: 403 No authorization' })
    expect(server.asked).toHaveLength(1)
  })

  it('never repeats a token that the ERP has sent back', async () => {
    await serve(({ authorization }, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `bad ${authorization} ${'x'.repeat(5000)}` } })),
    )
    const error = (await failureOf(get({ credentials: countedTokens() })))!
    expect(error.message).not.toContain('token-0')
    expect(error.message.length).toBeLessThan(400)
  })

  it.each([
    ['301 elsewhere', 301],
    ['302 elsewhere', 302],
    ['307 elsewhere', 307],
  ])('by %s is not followed', async (_name, status) => {
    await serve(({ url }, response) =>
      url === '/data/a'
        ? response.writeHead(status, { location: '/data/b' }).end()
        : json(response, {}),
    )
    expect(await failureOf(get({ credentials: countedTokens() }))).toMatchObject({
      code: 'redirected',
    })
    expect(server.asked).toHaveLength(1)
  })

  it.each([429, 503])('by %i for long is passed on at once', async (status) => {
    await serve((_asked, response) => response.writeHead(status, { 'retry-after': '61' }).end())
    const error = await failureOf(get())
    expect(error).toBeInstanceOf(Retriable)
    expect(error?.afterMs).toBe(61_000)
    expect(server.asked).toHaveLength(1)
  })

  it('by 503 for a moment is waited for, by the clock of the ERP', async () => {
    const date = 'Fri, 20 Nov 2026 06:00:00 GMT'
    let asked = 0
    await serve((_asked, response) =>
      asked++
        ? json(response, {})
        : response.writeHead(503, { date, 'retry-after': 'Fri, 20 Nov 2026 06:00:01 GMT' }).end(),
    )
    const began = Date.now()
    await get()
    expect(Date.now() - began).toBeGreaterThanOrEqual(990)
  })

  it('by 429 slows all requests down', async () => {
    let running = 0
    let most = 0
    let refused = 0
    await serve((_asked, response) => {
      running++
      most = Math.max(most, refused ? running : 0)
      if (!refused++) {
        running--
        return response.writeHead(429, { 'retry-after': '0' }).end()
      }
      setTimeout(() => {
        running--
        json(response, {})
      }, 30)
    })
    const client = server.client({ concurrency: 4 })
    await client.get(new URL('/data/a', server.url), SIGNAL)
    most = 0
    const urls = Array.from({ length: 12 }, (_, i) => new URL(`/data/p${i}`, server.url))
    await Promise.all(urls.map((url) => client.get(url, SIGNAL)))
    expect(most).toBe(2)
  })

  it('by 429 sends nothing for as long as the ERP asks for, not even what waited for its token', async () => {
    const knocks: number[] = []
    await serve((_asked, response) => {
      knocks.push(performance.now())
      if (knocks.length > 1) return json(response, {})
      return response.writeHead(429, { 'retry-after': '1' }).end()
    })
    let tokens = 0
    const credentials = {
      async authorization() {
        if (tokens++) await sleep(100)
        return 'Bearer one'
      },
    }
    const client = server.client({ concurrency: 4, credentials })
    const urls = Array.from({ length: 4 }, (_, i) => new URL(`/data/p${i}`, server.url))
    await Promise.all(urls.map((url) => client.get(url, SIGNAL)))
    const [refused, ...others] = knocks
    expect(Math.min(...others) - refused!).toBeGreaterThanOrEqual(990)
    expect(others).toHaveLength(4)
  })
})

describe('an answer that is none', () => {
  const get = (settings = {}) => server.client(settings).get(new URL('/data/a', server.url), SIGNAL)

  it('is fatal where a web page comes twice', async () => {
    await serve((_asked, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log on</h1>'),
    )
    expect(await failureOf(get())).toMatchObject({ code: 'login_page' })
    expect(server.asked).toHaveLength(2)
  })

  it('is fatal where it is no JSON at all', async () => {
    await serve((_asked, response) =>
      response.writeHead(200, { 'content-type': 'application/xml' }).end('<x/>'),
    )
    expect(await failureOf(get())).toMatchObject({ code: 'unexpected_content' })
  })

  it('is fatal where it is too large', async () => {
    await serve((_asked, response) => json(response, 'x'.repeat(20_000)))
    expect(await failureOf(get({ maxBytes: 10_000 }))).toMatchObject({ code: 'answer_too_large' })
  })

  it.each(['half', 'torn', 'silent'])('is asked for again where it is %s', async (kind) => {
    let first = true
    await serve((_asked, response) => {
      if (!first) return json(response, { rows: [1] })
      first = false
      if (kind === 'silent') return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"rows":[1', () => {
        if (kind === 'half') response.end()
        else response.destroy()
      })
    })
    const patience = kind === 'silent' ? { timeoutMs: 2_000 } : {}
    expect((await get(patience)).body).toEqual({ rows: [1] })
    expect(server.asked).toHaveLength(2)
  })

  it('reveals nothing of what was sent where nobody listens', async () => {
    await serve((_asked, response) => json(response, {}))
    const client = server.client({ credentials: countedTokens() })
    const controller = new AbortController()
    await server.close()
    setTimeout(() => controller.abort(new Error('enough')), 300)
    const url = new URL('/data/a?secret=1', server.url)
    const error = await failureOf(client.get(url, controller.signal))
    expect(error?.message).toBe('enough')
  })
})
