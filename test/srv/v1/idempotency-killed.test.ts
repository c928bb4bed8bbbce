// SIGKILL between the work of a call with an Idempotency-Key and its stored answer, or between that and the answer; the
// call is repeated at another instance.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { ApiKeys, IdempotentAnswers } from '../../../srv/base/database/entities.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const { SELECT } = cds.ql
cds.root = path.resolve(import.meta.dirname, '../../..')

// A trigger that waits needs a database with processes of its own.
const onPostgres = cds.env.requires.db.kind === 'postgres' ? describe : describe.skip

const HANG = `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$`
const TRIGGER = `CREATE TRIGGER hang BEFORE UPDATE ON restock_IdempotentAnswers FOR EACH ROW
  WHEN (NEW.answer IS NOT NULL) EXECUTE FUNCTION hang()`
const HANGING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`

const isHanging = async () => ((await cds.run(`SELECT 1 ${HANGING}`)) as object[]).length > 0

onPostgres('a call with an Idempotency-Key', () => {
  let [first, second]: Instance[] = []
  let key = ''

  beforeAll(async () => {
    first = await Instance.start()
    second = await Instance.start()
    cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
    await cds.connect.to('db')
    key = await second.key()
    await cds.run(HANG)
  })

  afterAll(async () => {
    await first?.end('SIGKILL')
    await second?.end('SIGKILL')
    await (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()
  })

  const post = async (instance: Instance, name: string) => {
    const response = await fetch(`${instance.url}/v1/keys`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        'Idempotency-Key': name,
      },
      body: JSON.stringify({ name, scopes: ['forecasts:read'] }),
    })
    await response.text()
    return response
  }
  const keysNamed = async (name: string) => (await SELECT.from(ApiKeys).where({ name })).length

  it('that takes longer than its lease is done once: its instance renews it', async () => {
    await cds.run(
      TRIGGER.replace('UPDATE ON restock_IdempotentAnswers', 'INSERT ON restock_ApiKeys').replace(
        'NEW.answer IS NOT NULL',
        "NEW.name = 'slow'",
      ),
    )
    const slow = post(first!, 'slow')
    await until(isHanging, 60)
    const [row] = await SELECT.from(IdempotentAnswers).columns('leaseUntil').where({ answer: null })
    const end = Date.parse(row!.leaseUntil!)
    while (Date.now() < end + 500) await sleep(200)
    const repeated = await post(second!, 'slow')
    expect(repeated.status).toBe(409)
    expect(repeated.headers.has('retry-after')).toBe(true)
    await cds.run(`SELECT pg_cancel_backend(pid) ${HANGING}`)
    expect((await slow).status).toBeGreaterThanOrEqual(500)
    await cds.run('DROP TRIGGER hang ON restock_ApiKeys')
    expect((await post(second!, 'slow')).status).toBe(201)
    expect(await keysNamed('slow')).toBe(1)
  })

  it('whose instance dies is answered what was stored where it was committed, and else done by its repetition, when Retry-After says', async () => {
    expect((await post(first!, 'done')).status).toBe(201)
    await cds.run(TRIGGER)
    const torn = post(first!, 'torn').catch(() => 'no answer')
    await until(isHanging, 60)
    await first!.end('SIGKILL')
    expect(await torn).toBe('no answer')
    await cds.run(`SELECT pg_terminate_backend(pid) ${HANGING}`)
    await cds.run('DROP TRIGGER hang ON restock_IdempotentAnswers')
    const early = await post(second!, 'torn')
    expect(early.status).toBe(409)
    const seconds = Number(early.headers.get('retry-after'))
    expect(seconds).toBeLessThanOrEqual(8)
    await sleep(seconds * 1000)
    expect((await post(second!, 'torn')).status).toBe(201)
    expect(await keysNamed('torn')).toBe(1)

    const repeated = await post(second!, 'done')
    expect(repeated.status).toBe(201)
    expect(repeated.headers.get('idempotent-replayed')).toBe('true')
    expect(await keysNamed('done')).toBe(1)
  })
})
