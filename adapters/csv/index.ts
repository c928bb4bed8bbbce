import type { Adapter, Connection, Stream } from '../adapter.ts'
import { checkStreams } from './check/index.ts'
import { Folder } from './file/folder.ts'
import { csvOptions } from './options.ts'
import { csvStream } from './streams.ts'
import { TABLES } from './tables.ts'

export interface CsvRoot {
  /** The folder that contains the folders of all accounts; read again for each connection. */
  root: () => string
}

/** `RESTOCK_CSV_ROOT`, or `data/` below the working directory. */
const rootOfEnvironment = () => process.env.RESTOCK_CSV_ROOT || 'data'

/**
 * Reads CSV files from a folder on the service's machine: docs/guides/csv.md.
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
    fields: { options: ['decimal', 'date_format'] },
    neededRights: ({ account }) => [`read: ${account}`],

    streams(connection): Stream[] {
      const folder = folderOf(connection)
      folder.locate()
      const format = csvOptions.parse(connection.options)
      return TABLES.map((table) => csvStream(table, folder, format))
    },

    check: (connection, signal) =>
      checkStreams(folderOf(connection), csvOptions.parse(connection.options), signal),
  }
}
