import { randomUUID } from 'node:crypto'
import { configure } from './configure.ts'
import { createDatabase, credentialsOf, DATABASE, TEMPLATE } from './databases/own-database.ts'
import { dayWith } from './day.ts'

await dayWith(8)

const database = `test_${randomUUID().replaceAll('-', '')}`
await createDatabase(database, TEMPLATE)

configure({
  ...DATABASE,
  // On a busy machine many connections may take long.
  pool: { acquireTimeoutMillis: 200_000 },
  credentials: credentialsOf(database),
})

const { shareModel } = await import('./share-model.ts')
shareModel(process.env.TEST_MODELS!)
