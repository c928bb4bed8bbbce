// The calls of a JSON batch, checked before CAP 10.1.1 sees them: it fails over what is no object, and leaves calls with
// impossible addresses without an answer. Needed until it refuses them.
import { z } from 'zod'
import { BodyFault } from '../bodies.ts'
import { assertCount, isAddress } from './batch-parts.ts'

const name = z.string().regex(/^[\w.~-]{1,128}$/)

const Requests = z.array(
  z.looseObject({
    id: name.refine((id) => !(id in Object.prototype)),
    method: z.string().regex(/^(GET|POST|PUT|PATCH|DELETE)$/i),
    url: z.string().min(1).refine(isAddress),
    headers: z.record(z.string(), z.string()).optional(),
    atomicityGroup: name.optional(),
    dependsOn: z.array(name).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
)

const isGet = (method: string) => method.toUpperCase() === 'GET'

/** @returns how many calls read, and how many change something. @throws BodyFault */
export function checkRequests(requests: unknown): { reads: number; changes: number } {
  if (Array.isArray(requests)) assertCount(requests.length)
  const { data, error } = Requests.safeParse(requests)
  if (!data) {
    const path = ['requests', ...error.issues[0]!.path].join('.')
    throw new BodyFault(400, `${path}: is missing or malformed.`)
  }
  if (data.some(({ method, atomicityGroup: group }) => group && isGet(method))) {
    throw new BodyFault(400, 'requests: a group of changes reads nothing.')
  }
  const reads = data.filter(({ method }) => isGet(method)).length
  return { reads, changes: data.length - reads }
}
