// A real SFTP server on this machine, that shows files from memory and notes what is asked of it.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import type { Attributes, SFTPWrapper } from 'ssh2'
import { fingerprintOf } from '../../../adapters/csv/sftp/connect.ts'

const { Server, utils } = ssh2
const { STATUS_CODE: STATUS } = utils.sftp
const FILE = 0o100644

export interface RemoteFile {
  text: string
  /** Seconds since 1970. */
  changedAt: number
}

export interface SftpUser {
  name: string
  password?: string
  /** OpenSSH. */
  publicKey?: string
}

/** @param files by path */
export async function startSftp(files: Map<string, RemoteFile>, user: SftpUser) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const log: string[] = []
  const open = new Set<{ end(): void }>()
  const server = new Server({ hostKeys: [privateKey] }, (client) => {
    open.add(client)
    // As real servers do: small answers do not wait for each other.
    ;(client as unknown as { setNoDelay(): void }).setNoDelay()
    client.on('error', () => {})
    client.on('close', () => open.delete(client))
    client.on('authentication', (context) => {
      log.push(`auth ${context.method}`)
      const isPassword = context.method === 'password' && context.password === user.password
      if (context.username === user.name && (isPassword || isKey(context, user))) context.accept()
      else context.reject(['password', 'publickey'])
    })
    client.on('session', (accept) =>
      accept().on('sftp', (acceptSftp) => serve(acceptSftp(), files, log)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server as never, 'listening')
  const parsed = utils.parseKey(privateKey) as unknown as { getPublicSSH(): Buffer }
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint: fingerprintOf(parsed.getPublicSSH()),
    log,
    connections: () => open.size,
    async close() {
      for (const client of open) client.end()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function isKey(context: ssh2.AuthContext, { publicKey }: SftpUser): boolean {
  if (context.method !== 'publickey' || !publicKey) return false
  const known = utils.parseKey(publicKey) as ssh2.ParsedKey
  if (!context.key.data.equals(known.getPublicSSH())) return false
  return (
    !context.signature || known.verify(context.blob!, context.signature, context.hashAlgo) === true
  )
}

function serve(sftp: SFTPWrapper, files: Map<string, RemoteFile>, log: string[]): void {
  const handles = new Map<number, { path: string; isRead?: boolean }>()
  let last = 0
  const handleOf = (path: string) => {
    handles.set(++last, { path })
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(last)
    return handle
  }
  const of = (handle: Buffer) => handles.get(handle.readUInt32BE())
  const attributesOf = ({ text, changedAt }: RemoteFile): Attributes => ({
    ...{ mode: FILE, uid: 0, gid: 0, size: Buffer.byteLength(text) },
    ...{ atime: changedAt, mtime: changedAt },
  })
  const stat = (id: number, path: string) => {
    const file = files.get(path)
    if (file) sftp.attrs(id, attributesOf(file))
    else sftp.status(id, STATUS.NO_SUCH_FILE)
  }
  sftp.on('OPENDIR', (id, path) => {
    log.push(`OPENDIR ${path}`)
    const isThere = [...files.keys()].some((each) => each.startsWith(`${path}/`))
    if (isThere) sftp.handle(id, handleOf(path))
    else sftp.status(id, STATUS.NO_SUCH_FILE)
  })
  sftp.on('READDIR', (id, handle) => {
    const folder = of(handle)!
    if (folder.isRead) return sftp.status(id, STATUS.EOF)
    folder.isRead = true
    const inside = [...files].filter(([path]) => path.startsWith(`${folder.path}/`))
    sftp.name(
      id,
      inside.map(([path, file]) => {
        const filename = path.slice(folder.path.length + 1)
        return { filename, longname: `-rw-r--r-- ${filename}`, attrs: attributesOf(file) }
      }),
    )
  })
  for (const verb of ['STAT', 'LSTAT'] as const)
    sftp.on(verb as 'STAT', (id, path) => {
      log.push(`${verb} ${path}`)
      stat(id, path)
    })
  sftp.on('FSTAT', (id, handle) => stat(id, of(handle)!.path))
  sftp.on('OPEN', (id, path, flags) => {
    const isRead = (flags & ~utils.sftp.OPEN_MODE.READ) === 0
    log.push(`OPEN ${isRead ? 'read' : 'WRITE'} ${path}`)
    if (!isRead) return sftp.status(id, STATUS.PERMISSION_DENIED)
    if (!files.has(path)) return sftp.status(id, STATUS.NO_SUCH_FILE)
    sftp.handle(id, handleOf(path))
  })
  sftp.on('READ', (id, handle, offset, length) => {
    const bytes = Buffer.from(files.get(of(handle)!.path)!.text)
    if (offset >= bytes.length) sftp.status(id, STATUS.EOF)
    else sftp.data(id, bytes.subarray(offset, offset + length))
  })
  sftp.on('CLOSE', (id, handle) => {
    handles.delete(handle.readUInt32BE())
    sftp.status(id, STATUS.OK)
  })
  for (const verb of ['WRITE', 'REMOVE', 'RENAME', 'MKDIR', 'RMDIR', 'SETSTAT', 'SYMLINK'] as const)
    sftp.on(verb, (id: number) => {
      log.push(`WRITE ${verb}`)
      sftp.status(id, STATUS.PERMISSION_DENIED)
    })
}
