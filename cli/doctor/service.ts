// What the service answers: that it lives, its version and clock, whether the key is good, and the audit trail whole.
import axios from 'axios'
import { RestockError, type Restock } from '../../client/index.ts'
import { problemOf } from '../groups/audit.ts'
import { baseUrl } from '../key.ts'
import { explain } from '../refusals.ts'
import { failed, type Finding, ok, unlessForbidden, warning } from './finding.ts'

const TIMEOUT_MS = 10_000
/** Tokens, cursors and schedules bear so much difference. */
const CLOCK_MS = 60_000
/** The major version of the API that the command speaks. */
const API = '1'

export async function lookAtService(): Promise<Finding[]> {
  const url = baseUrl()
  const options = { timeout: TIMEOUT_MS, validateStatus: () => true }
  try {
    const health = await axios.get<{ status?: string }>(`${url.origin}/health`, options)
    const document = await axios.get<{ info?: { version?: string } }>(
      `${url.href}/openapi.json`,
      options,
    )
    return [
      healthOf(health.status, health.data?.status),
      versionOf(document.data?.info?.version),
      clockOf(String(health.headers.date)),
    ]
  } catch (error) {
    const why = axios.isAxiosError(error) ? (error.code ?? error.message) : String(error)
    const cure = 'Start it with "npm start", or set RESTOCK_URL to the one that runs.'
    return [failed('Service', `${url.origin} does not answer (${why})`, cure)]
  }
}

function healthOf(httpStatus: number, status: string | undefined): Finding {
  if (status === 'UP') return ok('Service', 'it runs, and its database answers')
  if (status === 'DOWN') {
    const cure = 'Look into the log of the service: the database is away, locked or full.'
    return failed('Database', 'the service cannot read it', cure)
  }
  const cure = 'Check RESTOCK_URL: what answers there is not Restock.'
  return failed('Service', `/health answered ${httpStatus}`, cure)
}

function versionOf(version = 'unknown'): Finding {
  if (version.split('.')[0] === API) return ok('Version', `${version} of the API`)
  const cure = 'Use the command of the version that the service has.'
  return failed('Version', `the API has version ${version}, the command knows ${API}`, cure)
}

function clockOf(date: string): Finding {
  const behind = Math.abs(Date.parse(date) - Date.now())
  if (!(behind > CLOCK_MS)) return ok('Clock', 'the clocks agree')
  const message = `the clocks differ by ${Math.round(behind / 1000)} s`
  return warning('Clock', message, 'Set both by a time server (NTP).')
}

export async function lookAtKey(client: Restock): Promise<Finding> {
  try {
    await client.call('get', '/proposals', { query: { limit: 1 } })
    return ok('Key', 'it may read proposals')
  } catch (error) {
    if (!(error instanceof RestockError)) throw error
    if (error.code === 'insufficient_scope') return ok('Key', 'it is valid')
    return failed('Key', error.message, explain(error))
  }
}

/** Whether the audit trail is what it was, as far as a short look and the service's own last one tell. */
export async function lookAtTrail(client: Restock): Promise<Finding[]> {
  const query = { limit: 1 }
  const answer = await unlessForbidden(() => client.call('get', '/audit/verification', { query }))
  if (!answer) return []
  const problem = answer.data.broken ?? answer.data.alarm
  if (!problem) return [ok('Audit trail', 'nothing is missing that was sealed before')]
  const cure = 'Run "restock audit verify"; docs/guides/auditor.md says what to do then.'
  return [failed('Audit trail', problemOf(problem), cure)]
}
