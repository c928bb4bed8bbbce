import type { Adapter, Connection, Stream } from '../adapter.ts'
import { checkStreams } from './check/index.ts'
import { Drop } from './file/drop.ts'
import { Folder } from './file/folder.ts'
import { csvOptions } from './options.ts'
import { PLAIN_FORM } from './order-form.ts'
import { remoteFolder } from './sftp/remote-folder.ts'
import { csvStream } from './streams.ts'
import { TABLES } from './tables.ts'

export interface CsvRoot {
  /** The folder that contains the folders of all accounts; read again for each connection. */
  root: () => string
  /** For so long nothing is written to a file that is whole. */
  settleSeconds?: () => number
}

/** `RESTOCK_CSV_ROOT`, or `data/` below the working directory. */
const rootOfEnvironment = () => process.env.RESTOCK_CSV_ROOT || 'data'
const settleOfEnvironment = () => Number(process.env.RESTOCK_CSV_SETTLE_SECONDS ?? 2)

/**
 * Reads CSV files from a folder on the service's machine, or of an SFTP server: docs/guides/csv.md.
 *
 * @example csvAdapter({ root: () => '/srv/erp-exports' }).streams(connection)
 */
export function csvAdapter(
  { root, settleSeconds = settleOfEnvironment }: CsvRoot = { root: rootOfEnvironment },
): Adapter {
  const isRemote = ({ options }: Connection) => csvOptions.parse(options).host !== undefined
  const folderOf = ({ account, internal }: Connection) =>
    new Folder(internal?.csvRoot ?? root(), account)

  const dropOf = (connection: Connection) => {
    const settleMs = connection.internal ? 0 : settleSeconds() * 1000
    return new Drop(
      isRemote(connection) ? remoteFolder(connection) : folderOf(connection),
      settleMs,
    )
  }

  return {
    type: 'csv',
    auth: (connection) => ({ kind: isRemote(connection) ? 'basic' : 'none' }),
    catalog: 'partial',
    readsFiles: true,
    options: csvOptions,
    orderForm: PLAIN_FORM,
    fields: {
      ...{ clientId: 'optional', clientSecret: 'optional' },
      options: ['decimal', 'date_format', 'watch'],
      further: ['clientId', 'clientSecret'],
    },
    neededRights: ({ account }) => [`read: ${account}`],

    streams(connection): Stream[] {
      if (!isRemote(connection)) folderOf(connection).locate()
      const drop = dropOf(connection)
      const format = csvOptions.parse(connection.options)
      return TABLES.map((table) => csvStream(table, drop, format))
    },

    check: async (connection, signal) =>
      checkStreams(dropOf(connection), csvOptions.parse(connection.options), signal),

    async watchedState(connection, signal) {
      if (!csvOptions.parse(connection.options).watch) return null
      const stems = TABLES.map(({ stem }) => stem)
      return dropOf(connection).state(stems, signal)
    },
  }
}
