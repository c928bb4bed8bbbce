import cds from '@sap/cds'
import type { Adapter, Connection, Credentials } from '../../../adapters/adapter.ts'
import { adapterOf } from '../../../adapters/index.ts'
import { Sources } from '../../base/database/entities.ts'
import { ownFolder } from '../../base/settings/config.ts'

/** The part of SourcesService that keeps and renews tokens. */
interface Keeper {
  credentialsOf(
    source: number,
    adapter: Adapter,
    connection: Connection,
    destination: string | null,
  ): Credentials | null
}

/** The adapter of a source and what it needs to read. */
export async function connectionOf(
  source: number,
): Promise<{ adapter: Adapter; connection: Connection }> {
  const row = (await SELECT.one.from(Sources).where({ ID: source }))!
  const adapter = adapterOf(row.type!)
  if (!adapter) throw new Error(`There is no adapter for ${row.type}.`)
  const { account, role, baseUrl } = row
  const connection: Connection = {
    account: account!,
    role: role!,
    baseUrl: baseUrl!,
    options: JSON.parse(row.options ?? '{}') as Connection['options'],
  }
  if (row.demo) connection.internal = { csvRoot: ownFolder() }
  const keeper = (await cds.connect.to('SourcesService')) as unknown as Keeper
  connection.credentials = keeper.credentialsOf(source, adapter, connection, row.destination)
  return { adapter, connection }
}
