import { Fatal } from '../errors.ts'

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
