import cds, { type Request } from '@sap/cds'
import { rememberConfiguredApprovers, rememberPerson } from '../authority/index.ts'
import * as approvers from './approvers.ts'
import { health } from './health.ts'
import type { Row } from './computed-rows.ts'
import * as keys from './keys.ts'
import { forecastQuality } from './quality/forecast-quality.ts'
import { qualityParts } from './quality/parts.ts'
import { refusing } from './refusals.ts'
import * as rules from './rules.ts'
import { send } from './services.ts'
import * as sources from './sources.ts'
import * as syncs from './syncs.ts'
import * as webhooks from './webhooks.ts'

type Handler = (request: Request) => unknown

export default class AdminService extends cds.ApplicationService {
  override async init() {
    this.before('*', ({ user }) => {
      user.attr = { ...user.attr, via: 'ui' }
    })
    this.before('READ', 'Health', ({ user }) => rememberPerson(user))
    this.#sources()
    this.#rules()
    this.#otherSystems()
    this.#approvers()
    this.#watching()
    this.#shows()
    return super.init()
  }

  #do(event: string, entity: string, handler: Handler) {
    this.on(event, entity, refusing(handler))
  }

  #sources() {
    this.on('connect', refusing(sources.connect))
    this.#do('check', 'Sources', sources.check)
    this.#do('consentAgain', 'Sources', sources.consentAgain)
    this.#do('setSchedules', 'Sources', sources.setSchedules)
    this.#do('syncNow', 'Sources', syncs.syncNow)
    this.#do('DELETE', 'Sources', sources.remove)
    this.#do('READ', 'Rights', sources.rights)
    this.#do('READ', 'Streams', sources.streams)
    this.#do('cancel', 'Syncs', syncs.cancel)
    this.#do('READ', 'SyncIssues', syncs.issues)
  }

  #rules() {
    this.#do('setRule', 'Policies', rules.setRule)
    this.#do('change', 'Policies', rules.changeRule)
    this.#do('DELETE', 'Policies', rules.removeRule)
    this.#do('setLeadTime', 'BlockedPairs', rules.setLeadTime)
  }

  #otherSystems() {
    this.#do('issue', 'ApiKeys', keys.issueKey)
    this.#do('rotate', 'ApiKeys', keys.rotateKey)
    this.#do('revoke', 'ApiKeys', keys.revokeKey)
    this.#do('add', 'Webhooks', webhooks.addWebhook)
    this.#do('rotate', 'Webhooks', webhooks.rotateWebhook)
    this.#do('activate', 'Webhooks', webhooks.switchWebhook('active'))
    this.#do('disable', 'Webhooks', webhooks.switchWebhook('disabled'))
    this.#do('DELETE', 'Webhooks', webhooks.removeWebhook)
    this.#do('replay', 'Deliveries', webhooks.replay)
  }

  #approvers() {
    this.#do('setUserLimit', 'UserLimits', approvers.setUserLimit)
    this.#do('DELETE', 'UserLimits', approvers.clearUserLimit)
    this.#do('setRoleLimit', 'RoleLimits', approvers.setRoleLimit)
    this.#do('DELETE', 'RoleLimits', approvers.clearRoleLimit)
    this.#do('delegate', 'Delegations', approvers.delegate)
    this.#do('end', 'Delegations', approvers.endDelegation)
    this.before('READ', 'Approvers', rememberConfiguredApprovers)
  }

  #watching() {
    this.on('READ', 'Health', health)
    this.#do('READ', 'ForecastQuality', forecastQuality)
    this.#do('READ', 'QualityParts', qualityParts)
    this.on('verifyAudit', verifyAudit)
  }

  #shows() {
    for (const [entity, show] of Object.entries(SHOW)) this.after('READ', entity, each(show))
    this.after('READ', CHANGEABLE, (result: unknown, { user }) =>
      each((row) => void (row.mayChange = user.is('Admin')))(result),
    )
  }
}

/** Pages of these offer changes, to those who may. */
const CHANGEABLE = ['Sources', 'Syncs', 'Policies', 'Webhooks']

/** What no table holds of a row. */
const SHOW: Record<string, (row: Row) => unknown> = {
  Sources: sources.showSource,
  Syncs: syncs.showSync,
  UserLimits: approvers.showUserLimit,
}

const each = (show: (row: Row) => unknown) => async (result: unknown) => {
  for (const row of Array.isArray(result) ? result : [result]) if (row) await show(row as Row)
}

async function verifyAudit() {
  const { valid, entries, broken } = await send<{
    valid: boolean
    entries: number
    broken: { seq: number; problem: string; object: string | null } | null
  }>('AuditService', 'verify', {})
  const { seq = null, problem = null, object = null } = broken ?? {}
  return { valid, entries, seq, problem, object }
}
