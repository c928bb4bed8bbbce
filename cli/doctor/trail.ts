// Whether the audit trail is what it was, as far as a short look and the service's own last one tell.
import { type Restock, RestockError } from '../../client/index.ts'
import { problemOf } from '../audit/verify.ts'
import { failed, type Finding, ok } from './finding.ts'

const CHECK = 'Audit trail'

/** Nothing where the key may not look. */
export async function lookAtTrail(client: Restock): Promise<Finding[]> {
  try {
    const { data } = await client.call('get', '/audit/verification', { query: { limit: 1 } })
    const problem = data.broken ?? data.alarm
    if (!problem) return [ok(CHECK, 'nothing is missing that was sealed before')]
    const cure = 'Run "restock audit verify"; docs/guides/auditor.md says what to do then.'
    return [failed(CHECK, problemOf(problem), cure)]
  } catch (error) {
    if (error instanceof RestockError && error.code === 'insufficient_scope') return []
    throw error
  }
}
