// SIGKILL between the work of a call with an Idempotency-Key and its stored answer; the call is repeated.
import path from 'node:path'
import cds from '@sap/cds'
import { ApiKeys, IdempotentAnswers } from '../../../srv/store/entities.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const { SELECT, UPDATE } = cds.ql
cds.root = path.resolve(import.meta.dirname, '../../..')

// A trigger that waits needs a database with processes of its own.
const onPostgres = cds.env.requires.db.kind === 'postgres' ? it : it.skip

const HANG = `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$`
const TRIGGER = `CREATE TRIGGER hang BEFORE UPDATE ON restock_IdempotentAnswers FOR EACH ROW
  WHEN (NEW.answer IS NOT NULL) EXECUTE FUNCTION hang()`
const HANGING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`

const post = async (instance: Instance, key: string, name: string) => {
  const response = await fetch(`${instance.url}/v1/keys`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      'Idempotency-Key': 'torn',
    },
    body: JSON.stringify({ name, scopes: ['forecasts:read'] }),
  })
  return response.status
}

onPostgres(
  'does its work once',
  async () => {
    const first = await Instance.start()
    cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
    await cds.connect.to('db')
    const key = await first.key()
    await cds.run(HANG)
    await cds.run(TRIGGER)
    const torn = post(first, key, 'once').catch(() => 'no answer')
    await until(async () => ((await cds.run(`SELECT 1 ${HANGING}`)) as object[]).length > 0, 60)
    await first.end('SIGKILL')
    expect(await torn).toBe('no answer')
    await cds.run(`SELECT pg_terminate_backend(pid) ${HANGING}`)
    await cds.run('DROP TRIGGER hang ON restock_IdempotentAnswers')

    const second = await Instance.start()
    const leaseUntil = new Date(Date.now() - 1000).toISOString()
    await UPDATE.entity(IdempotentAnswers).set({ leaseUntil }).where({ answer: null })
    expect(await post(second, key, 'once')).toBe(201)
    expect(await SELECT.from(ApiKeys).where({ name: 'once' })).toHaveLength(1)
    await second.end('SIGKILL')
    await (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()
  },
  240_000,
)
