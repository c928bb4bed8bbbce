import type { Adapter, Connection, Stream, StreamCheck } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import { Folder } from './folder.ts'
import { csvOptions } from './options.ts'
import { checkTable, csvStream } from './streams.ts'
import { TABLES } from './tables.ts'

export interface CsvRoot {
  /** The folder that every account's folder lies below; asked for anew at each connection. */
  root: () => string
}

/** `RESTOCK_CSV_ROOT`, or `data/` below the working directory. */
const rootOfEnvironment = () => process.env.RESTOCK_CSV_ROOT || 'data'

/**
 * Reads CSV files that lie in a folder on the service's machine: docs/guides/csv.md.
 *
 * @example csvAdapter({ root: () => '/srv/erp-exports' }).streams(connection)
 */
export function csvAdapter({ root }: CsvRoot = { root: rootOfEnvironment }): Adapter {
  const folderOf = ({ account, internal }: Connection) =>
    new Folder(internal?.csvRoot ?? root(), account)

  return {
    type: 'csv',
    auth: () => ({ kind: 'none' }),
    catalog: 'partial',
    options: csvOptions,
    neededRights: ({ account }) => [`read: ${account}`],

    streams(connection): Stream[] {
      const folder = folderOf(connection)
      folder.locate()
      const format = csvOptions.parse(connection.options)
      return TABLES.map((table) => csvStream(table, folder, format))
    },

    async check(connection, signal): Promise<StreamCheck[]> {
      const folder = folderOf(connection)
      const checks: StreamCheck[] = []
      for (const table of TABLES) {
        checks.push({ record: table.record, ...(await outcome(checkTable(table, folder, signal))) })
      }
      return checks
    },
  }
}

async function outcome(check: Promise<'ok' | 'absent'>): Promise<Omit<StreamCheck, 'record'>> {
  try {
    return { status: await check, message: null }
  } catch (error) {
    if (!(error instanceof Fatal)) throw error
    const status = error.code === 'file_not_readable' ? 'forbidden' : 'failed'
    return { status, message: error.message }
  }
}
