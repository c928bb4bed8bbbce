import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { configure } from './configure.ts'
import { dayWith } from './day.ts'

await dayWith(4)

const database = `test_${randomUUID().replaceAll('-', '')}`
const credentials = {
  host: '127.0.0.1',
  port: Number(process.env.TEST_POSTGRES_PORT),
  user: 'restock',
  password: 'restock',
}

const client = new pg.Client({ ...credentials, database: 'postgres' })
await client.connect()
await client.query(`CREATE DATABASE ${database}`)
await client.end()

configure({
  kind: 'postgres',
  model: null,
  impl: '@cap-js/postgres',
  // On a busy machine many connections may take long.
  pool: { acquireTimeoutMillis: 200_000 },
  credentials: { ...credentials, database },
})

const { shareModel } = await import('./share-model.ts')
shareModel(process.env.TEST_RUN_FOLDER!)
