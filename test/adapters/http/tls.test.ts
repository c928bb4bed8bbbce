import { execFileSync } from 'node:child_process'
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpClient } from '../../../adapters/http/client.ts'
import { Address } from '../../../adapters/http/address.ts'
import { failureOf, json, SIGNAL } from './server.ts'

let folder: string
let server: Server
let url: string
let isReady = false

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restock-tls-'))
  process.env.RESTOCK_CA_ROOT = folder
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert, '-nodes', '-days', '2']
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject], {
      stdio: 'ignore',
    })
  } catch {
    return // no openssl here: nothing to try it with
  }
  server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_request, response) => json(response, {}),
  )
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  url = `https://localhost:${(server.address() as AddressInfo).port}`
  isReady = true
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
  delete process.env.RESTOCK_CA_ROOT
  rmSync(folder, { recursive: true })
})

function writeTo(file: string, content: string | Buffer = '') {
  writeFileSync(file, content)
  return file
}

function catchOf(work: () => unknown): Error | null {
  try {
    work()
    return null
  } catch (error) {
    return error as Error
  }
}

const clientWith = (caFile: string | null) =>
  new HttpClient({
    address: Address.parse(url, 'account'),
    ...{ reads: { get: [/\/data/] }, credentials: null, concurrency: 1, caFile },
  })

describe('a certificate that nobody knows', () => {
  it('is refused', async () => {
    if (!isReady) return
    const error = await failureOf(clientWith(null).get(new URL('/data', url), SIGNAL))
    expect(error).toMatchObject({ code: 'tls_untrusted' })
    expect(error?.message).toContain('ca_file')
  })

  it('is trusted where its authority is given', async () => {
    if (!isReady) return
    const client = clientWith(join(folder, 'cert.pem'))
    expect((await client.get(new URL('/data', url), SIGNAL)).body).toEqual({})
  })

  it('may be named relative to the folder of authorities', () => {
    if (isReady) expect(() => clientWith('cert.pem')).not.toThrow()
  })

  it('must have an authority in a file of that folder; a pipe is not waited for', () => {
    if (!isReady) return
    execFileSync('mkfifo', [join(folder, 'pipe.pem')])
    symlinkSync('/etc/passwd', join(folder, 'link.pem'))
    writeFileSync(join(folder, 'text.pem'), 'no certificate')
    truncateSync(writeTo(join(folder, 'huge.pem')), 2_000_000_000)
    const elsewhere = writeTo(`${folder}-outside.pem`, readFileSync(join(folder, 'cert.pem')))
    const wishes = ['no.pem', 'pipe.pem', 'link.pem', 'text.pem', 'huge.pem', 'key.pem', '.']
    const outside = ['/etc/passwd', '/proc/self/environ', '/dev/zero', '../x', elsewhere]
    const told = new Set<string>()
    for (const wish of [...wishes, ...outside]) {
      const error = catchOf(() => clientWith(wish))
      expect(error).toMatchObject({ code: 'ca_file_unreadable' })
      told.add(error!.message)
    }
    expect(told.size).toBe(1)
    rmSync(elsewhere)
  })
})
