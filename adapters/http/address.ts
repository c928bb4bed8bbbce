// Requests go to one origin only, over TLS.
import type { Connection } from '../adapter.ts'
import { Fatal } from '../errors.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** The base address of an ERP. */
export class Address {
  readonly origin: string
  /** Prefix of every path, without a closing slash; usually empty. */
  readonly prefix: string
  readonly isLoopback: boolean

  private constructor(url: URL) {
    this.origin = url.origin
    this.prefix = url.pathname.replace(/(?<!\/)\/+$/, '')
    this.isLoopback = LOOPBACK.test(url.hostname)
  }

  /**
   * @param text a host or an address; `https` if it has no scheme
   * @param target name of the field in which it was entered
   * @throws Fatal invalid_address | insecure_address
   */
  static parse(text: string, target: string): Address {
    const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`)
    const isPlain = url && !url.username && !url.password && !url.search && !url.hash
    if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
      const message = 'The address of the ERP must be like https://host or https://host:port.'
      throw new Fatal('invalid_address', message, target)
    }
    const address = new Address(url)
    if (url.protocol === 'http:' && !(address.isLoopback && !isProduction())) {
      const message = 'Plain http is for this machine and development only: use https.'
      throw new Fatal('insecure_address', message, target)
    }
    return address
  }

  /** The full address of a path. */
  url(path: string): URL {
    return new URL(this.prefix + path, this.origin)
  }

  /**
   * Resolves a link from an answer, which may be relative to a base.
   * @throws Fatal foreign_link when it leads to another origin
   */
  follow(link: string, base: URL): URL {
    const url = URL.parse(link, base.href)
    if (url?.origin === this.origin && !url.username && !url.password) return url
    const where = url ? url.origin : 'nowhere'
    throw new Fatal('foreign_link', `The ERP links to ${where}, which is not ${this.origin}.`)
  }

  /** The path relative to this address; null where the URL is not below it. */
  pathOf(url: URL): string | null {
    if (url.origin !== this.origin) return null
    if (!this.prefix) return url.pathname
    return url.pathname.startsWith(`${this.prefix}/`)
      ? url.pathname.slice(this.prefix.length)
      : null
  }
}

/**
 * The address of a connected ERP: its base URL, or else the account, which may be a host or a URL.
 * @throws Fatal invalid_address | insecure_address
 */
export function addressOf({ baseUrl, account }: Connection): Address {
  return baseUrl ? Address.parse(baseUrl, 'base_url') : Address.parse(account, 'account')
}

const isProduction = () => process.env.NODE_ENV === 'production'

/** The requests that an adapter may send. Each pattern must match the whole path. */
export interface ReadList {
  /** Paths for GET and HEAD. */
  get: RegExp[]
  /** Paths that are read by POST. */
  post?: string[]
}

/** @throws Fatal request_not_allowed for a request that is not on the list */
export function assertReads(list: ReadList, method: string, path: string | null): void {
  if (path !== null && !hasDetour(path)) {
    if (method === 'GET' || method === 'HEAD') {
      if (list.get.some((allowed) => isWhole(allowed, path))) return
    } else if (method === 'POST' && list.post?.includes(path)) return
  }
  throw new Fatal('request_not_allowed', `${method} ${path ?? 'there'} is not among the reads.`)
}

function isWhole(allowed: RegExp, path: string): boolean {
  return new RegExp(`^(?:${allowed.source})$`, allowed.flags).test(path)
}

/** The ERP may decode encoded separators and read another path than the one that was checked. */
const hasDetour = (path: string) => /%2f|%5c|%2e|\\|\/\.\.?(\/|$)/i.test(path)
