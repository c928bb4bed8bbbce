import cds, { type Request } from '@sap/cds'
import { rememberConfiguredApprovers, rememberPerson } from '../authority/index.ts'
import * as approvers from './approvers.ts'
import { readHealth } from './health.ts'
import type { Row } from './computed-rows.ts'
import * as keys from './keys.ts'
import { readForecastQuality } from './quality/forecast-quality.ts'
import { readQualityParts } from './quality/parts.ts'
import { withODataErrors } from './refusals.ts'
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
    this.#monitoring()
    this.#computedElements()
    return super.init()
  }

  #do(event: string, entity: string, handler: Handler) {
    this.on(event, entity, withODataErrors(handler))
  }

  #sources() {
    this.on('connect', withODataErrors(sources.connectSource))
    this.#do('check', 'Sources', sources.checkSource)
    this.#do('consentAgain', 'Sources', sources.renewConsent)
    this.#do('setSchedules', 'Sources', sources.setSchedules)
    this.#do('syncNow', 'Sources', syncs.startSync)
    this.#do('DELETE', 'Sources', sources.removeSource)
    this.#do('READ', 'Rights', sources.readRights)
    this.#do('READ', 'Streams', sources.readStreams)
    this.#do('cancel', 'Syncs', syncs.cancelSync)
    this.#do('READ', 'SyncIssues', syncs.readSyncIssues)
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
    this.#do('activate', 'Webhooks', webhooks.setWebhookStatus('active'))
    this.#do('disable', 'Webhooks', webhooks.setWebhookStatus('disabled'))
    this.#do('DELETE', 'Webhooks', webhooks.removeWebhook)
    this.#do('replay', 'Deliveries', webhooks.replayDelivery)
  }

  #approvers() {
    this.#do('setUserLimit', 'UserLimits', approvers.setUserLimit)
    this.#do('DELETE', 'UserLimits', approvers.clearUserLimit)
    this.#do('setRoleLimit', 'RoleLimits', approvers.setRoleLimit)
    this.#do('DELETE', 'RoleLimits', approvers.clearRoleLimit)
    this.#do('delegate', 'Delegations', approvers.createDelegation)
    this.#do('end', 'Delegations', approvers.endDelegation)
    this.before('READ', 'Approvers', rememberConfiguredApprovers)
  }

  #monitoring() {
    this.on('READ', 'Health', readHealth)
    this.#do('READ', 'ForecastQuality', readForecastQuality)
    this.#do('READ', 'QualityParts', readQualityParts)
    this.on('verifyAudit', verifyAudit)
  }

  #computedElements() {
    for (const [entity, show] of Object.entries(COMPUTED_ELEMENTS))
      this.after('READ', entity, eachRow(show))
    this.after('READ', CHANGEABLE, (result: unknown, { user }) =>
      eachRow((row) => void (row.mayChange = user.is('Admin')))(result),
    )
  }
}

/** Entities whose pages offer changes to administrators. */
const CHANGEABLE = ['Sources', 'Syncs', 'Policies', 'Webhooks']

/** Adds elements that no table stores, by entity. */
const COMPUTED_ELEMENTS: Record<string, (row: Row) => unknown> = {
  Sources: sources.addSourceState,
  Syncs: syncs.addSyncProgress,
  UserLimits: approvers.formatUserLimit,
}

const eachRow = (show: (row: Row) => unknown) => async (result: unknown) => {
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
