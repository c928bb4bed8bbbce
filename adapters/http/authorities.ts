// Certification authorities of private systems: files of one folder that an administrator of the machine fills.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { Fatal } from '../errors.ts'

/** Some hundred certificates. */
const MAX_BYTES = 1_048_576

/** `RESTOCK_CA_ROOT`, or `certificates/` below the working directory. */
const rootOfEnvironment = () => process.env.RESTOCK_CA_ROOT || 'certificates'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g

/**
 * The usual authorities and those of a PEM file below the folder.
 * @param file relative to the folder, or a path that leads into it
 * @throws Fatal `ca_file_unreadable`, with the same words whatever is or is not at a path
 */
export function readAuthorities(file: string): string[] {
  try {
    return [...rootCertificates, ...certificatesOf(readWithin(rootOfEnvironment(), file))]
  } catch {
    throw new Fatal(
      'ca_file_unreadable',
      'The option ca_file must name a file with PEM certificates below the folder RESTOCK_CA_ROOT.',
      'options.ca_file',
    )
  }
}

function readWithin(folder: string, file: string): string {
  const root = realpathSync(folder)
  const real = realpathSync(path.resolve(root, file))
  if (!real.startsWith(root + path.sep)) throw new Error('outside of the folder')
  // A pipe would be waited for otherwise, until somebody writes to it.
  const handle = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('no file, or too large')
    const bytes = Buffer.alloc(stat.size)
    return bytes.toString('utf8', 0, readSync(handle, bytes))
  } finally {
    closeSync(handle)
  }
}

function certificatesOf(text: string): string[] {
  const found = text.match(CERTIFICATE) ?? []
  if (!found.length) throw new Error('no certificate')
  return found.map((pem) => new X509Certificate(pem).toString())
}
