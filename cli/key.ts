import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, WrongUsage } from './errors.ts'

/** A key and the file that contained it; null if it is from the environment. */
export interface FoundKey {
  key: string
  file: string | null
}

/** The address of the API, from RESTOCK_URL, where the server's own stands for its `/v1`; it ends without a slash. */
export function baseUrl(): URL {
  const text = process.env.RESTOCK_URL || 'http://localhost:4004/v1'
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WrongUsage('RESTOCK_URL is no http or https address; e.g. http://localhost:4004/v1')
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '')
  if (url.pathname === '/') url.pathname = '/v1'
  return url
}

/**
 * The key in RESTOCK_API_KEY or, for a server on this machine, the demo key that a development server
 * writes to `.restock/key-<port>` in its checkout.
 */
export function findKey(url: URL): FoundKey {
  const given = process.env.RESTOCK_API_KEY?.trim()
  if (given) return { key: validKey(given, 'RESTOCK_API_KEY'), file: null }
  if (!isLoopback(url)) {
    throw new Failure(
      'No API key: set RESTOCK_API_KEY; an admin issues one with "restock keys create".',
    )
  }
  const name = join('.restock', `key-${url.port || (url.protocol === 'https:' ? '443' : '80')}`)
  for (const folder of [join(import.meta.dirname, '..'), process.cwd()]) {
    const file = join(folder, name)
    const key = readIfExists(file)
    if (key !== null) return { key: validKey(key, file), file }
  }
  throw new Failure(
    `No API key: there is no demo key in ${name}. Start the server of this checkout with ` +
      '"npm start", or set RESTOCK_API_KEY.',
  )
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

/** @throws Failure for characters that are not allowed in a header */
function validKey(key: string, where: string): string {
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  throw new Failure(`What is in ${where} is no API key: set RESTOCK_API_KEY to a valid one.`)
}
