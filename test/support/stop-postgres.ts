import type { PostgresServer } from './start-postgres.ts'

export default async function stopPostgres() {
  await (globalThis as unknown as { testPostgres?: PostgresServer }).testPostgres?.stop()
}
