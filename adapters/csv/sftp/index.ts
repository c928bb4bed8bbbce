import type { Connection } from '../../adapter.ts'
import { Fatal } from '../../errors.ts'
import { csvOptions } from '../options.ts'
import { RemoteFolder } from './remote-folder.ts'
import { Session } from './session.ts'

const PORT = 22

/** The folder that the account names on the server of the options. */
export function remoteFolder({ account, credentials, options }: Connection): RemoteFolder {
  const { host, port = PORT, host_key = '' } = csvOptions.parse(options)
  if (account.includes('\0'))
    throw new Fatal(
      'folder_not_allowed',
      'The account must name a folder of the server.',
      'account',
    )
  const server = { host: host!, port, hostKeys: host_key.split(',').map((key) => key.trim()) }
  return new RemoteFolder(new Session(server, credentials), account)
}
