// Databases of test files on the one PostgreSQL server of a run.
import pg from 'pg'

/** What those of the test files are copies of: making the tables takes longer than most of the files run. */
export const TEMPLATE = 'deployed'

export const DATABASE = { kind: 'postgres', model: null, impl: '@cap-js/postgres' }

export const credentialsOf = (database: string) => ({
  host: '127.0.0.1',
  port: Number(process.env.TEST_POSTGRES_PORT),
  user: 'restock',
  password: 'restock',
  database,
})

export async function createDatabase(name: string, template = 'template1') {
  const client = new pg.Client(credentialsOf('postgres'))
  await client.connect()
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  await client.end()
}
