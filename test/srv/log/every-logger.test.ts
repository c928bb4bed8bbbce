import { execFile } from 'node:child_process'
import path from 'node:path'
import { found, SECRETS } from './planted.ts'

const script = path.join(import.meta.dirname, 'every-logger.ts')

const run = (env: Record<string, string>) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    const {
      NODE_OPTIONS: _o,
      JEST_WORKER_ID: _j,
      NODE_ENV: _e,
      CDS_CONFIG: _c,
      ...own
    } = process.env
    const variables = {
      PLANTED: JSON.stringify(SECRETS),
      RESTOCK_ENCRYPTION_KEY: SECRETS.encryptionKey,
      RESTOCK_SMTP_URL: `smtps://restock:${SECRETS.smtpPassword}@mail.example.com`,
      CDS_REQUIRES_DB_CREDENTIALS_PASSWORD: SECRETS.databasePassword,
    }
    const options = { env: { ...own, ...variables, ...env }, maxBuffer: 1e9 }
    execFile(process.execPath, [script], options, (error, stdout, stderr) =>
      resolve({ code: error?.code, output: stdout + stderr }),
    )
  })

it.each([
  ['in development', {}],
  ['in production', { NODE_ENV: 'production', CDS_ENV: 'postgres' }],
])('%s no logger, thread or crash writes a secret', async (_what, env) => {
  const { code, output } = await run(env)
  expect(found(output, SECRETS)).toEqual([])
  expect(code).toBe(1)
  const [, ours, all] = /names: (\d+) of ours, (\d+) in all/.exec(output)!
  expect(Number(ours)).toBeGreaterThan(30)
  expect(Number(all)).toBeGreaterThan(40)
  for (const label of ['sync', 'sources', 'webhooks', 'odata', 'queue', 'early', 'node'])
    expect(output).toMatch(`NODE_ENV` in env ? `"label":"${label}"` : `[${label}] `)
  if (!('NODE_ENV' in env)) return
  for (const line of output.trim().split('\n')) {
    expect(JSON.parse(line)).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      level: expect.stringMatching(/^(ERROR|WARN|INFO|DEBUG|TRACE)$/),
      label: expect.any(String),
      message: expect.any(String),
    })
  }
})
