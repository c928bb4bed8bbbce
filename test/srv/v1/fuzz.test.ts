import fc from '../../support/properties.ts'
import { call, get } from './api.ts'
import { readDemand } from './demand.ts'
import { malformed } from './malformed.ts'

const CODES = /^[a-z_]+$/

/** What must not leave the service. */
const INTERNALS =
  /\bat .*\.(ts|js):|node_modules|SELECT |INSERT |UPDATE |sqlite|postgres|restock\.[A-Z]|\/work\//i

/** The only answers above 499: somebody else is away, or something is not ready yet. */
const EXPECTED = ['source_unavailable', 'forecast_not_ready']

beforeAll(() => readDemand('fuzz'))

/** `FUZZ_RUNS=10000` makes a long run of it. */
const RUNS = Number(process.env.FUZZ_RUNS ?? (process.env.ALL_CASES === 'true' ? 400 : 100))

it(
  'malformed calls never break the service, and are told nothing of its inside',
  async () => {
    const seen = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(malformed, async ({ method, path, raw, headers }) => {
        const answer = await call(method, path, { raw, headers })
        const { status, text, error } = answer
        seen.set(status, (seen.get(status) ?? 0) + 1)
        expect(answer.headers.get('x-request-id')).toBeTruthy()
        // HEAD tells no code.
        if (status < 400 || method === 'HEAD') return expect(status).not.toBe(500)
        const code = error?.code ?? (answer.json as { code: string }).code
        expect(code).toMatch(CODES)
        if (status >= 500) expect(EXPECTED).toContain(code)
        expect(text).not.toMatch(INTERNALS)
      }),
      { numRuns: RUNS },
    )
    expect((await get('/proposals')).status).toBe(200)
    if (RUNS > 1000) process.stdout.write(`${JSON.stringify(Object.fromEntries(seen))}\n`)
  },
  240_000 + RUNS * 50,
)
