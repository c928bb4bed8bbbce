import cds, { type Request } from '@sap/cds'
import { verifyNow } from '../../domain/audit/index.ts'
import { rememberCaller } from '../../domain/authority/index.ts'
import { erasePerson, exportPerson } from '../../domain/privacy/index.ts'
import { giveUp, removeSource } from '../../domain/sources/index.ts'
import { cancelSync } from '../../domain/sync/index.ts'
import { addDetailText } from './audit-text.ts'
import * as users from './users.ts'
import { readHealth, readToDos } from './to-do.ts'
import { addSourceElements, type ODataRow } from '../../base/odata/query-limits.ts'
import { withKey, withKeyAndRead, withODataErrors } from './rows.ts'
import * as others from './other-systems.ts'
import {
  readForecastQuality,
  readQualityGroups,
  readQualityParts,
  readWorstPairs,
} from './quality.ts'
import * as rules from './rules.ts'
import { sortByCode } from '../../base/texts/codes.ts'
import * as sources from './sources.ts'

type Handler = (request: Request) => unknown

interface Person {
  user: string
}

export default class AdminService extends cds.ApplicationService {
  override async init() {
    this.before('*', ({ user }) => {
      user.attr = { ...user.attr, via: 'ui' }
    })
    this.before('READ', 'Health', ({ user }) => rememberCaller(user))
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
    this.on('testConnection', withODataErrors(sources.testConnection))
    this.#do('READ', 'ConnectionFields', sources.readFields)
    this.#do('check', 'Sources', sources.checkSource)
    this.#do('giveUp', 'Sources', withKey(giveUp))
    this.#do('consentAgain', 'Sources', sources.renewConsent)
    this.#do('setSchedules', 'Sources', sources.setSchedules)
    this.#do('setPrecedence', 'Sources', sources.setPrecedence)
    this.#do('syncNow', 'Sources', sources.startSync)
    this.#do('DELETE', 'Sources', withKey(removeSource))
    this.#do('READ', 'Rights', sources.readRights)
    this.#do('READ', 'Streams', sources.readStreams)
    this.#do('cancel', 'Syncs', withKeyAndRead('Syncs', cancelSync))
    this.#do('READ', 'SyncIssues', sources.readSyncIssues)
  }

  #rules() {
    this.#do('setRule', 'Policies', rules.setRule)
    this.#do('change', 'Policies', rules.changeRule)
    this.#do('DELETE', 'Policies', rules.removeRule)
    this.#do('setLeadTime', 'BlockedPairs', rules.setLeadTime)
    this.#do('addEvent', 'PlannedEvents', rules.addEvent)
    this.#do('DELETE', 'PlannedEvents', rules.removeEvent)
    this.#do('setHolidays', 'HolidayCalendars', rules.setHolidays)
    this.#do('DELETE', 'HolidayCalendars', rules.removeHolidays)
    this.#do('READ', 'Countries', rules.readCountries)
  }

  #otherSystems() {
    this.#do('issue', 'ApiKeys', others.issueKey)
    this.#do('rotate', 'ApiKeys', others.rotateKey)
    this.#do('revoke', 'ApiKeys', others.revokeKey)
    this.#do('add', 'Webhooks', others.addWebhook)
    this.#do('rotate', 'Webhooks', others.rotateWebhook)
    this.#do('activate', 'Webhooks', others.activateWebhook)
    this.#do('disable', 'Webhooks', others.disableWebhook)
    this.#do('DELETE', 'Webhooks', others.removeWebhook)
    this.#do('replay', 'Deliveries', others.replayDelivery)
  }

  #approvers() {
    this.#do('setUserLimit', 'UserLimits', users.setUserLimit)
    this.#do('DELETE', 'UserLimits', users.clearUserLimit)
    this.#do('setRoleLimit', 'RoleLimits', users.setRoleLimit)
    this.#do('DELETE', 'RoleLimits', users.clearRoleLimit)
    this.#do('setRate', 'ExchangeRates', rules.setRate)
    this.#do('DELETE', 'ExchangeRates', rules.removeRate)
    this.#do('delegate', 'Delegations', users.createDelegation)
    this.#do('end', 'Delegations', users.endDelegation)
    this.#do('setLimit', 'Approvers', users.setLimit)
    this.#do('clearLimit', 'Approvers', users.clearLimit)
    this.#do('addDeputy', 'Approvers', users.addDeputy)
    this.#do('removePerson', 'Approvers', users.removePerson)
    this.after('READ', 'Approvers', users.addRights)
    this.before('READ', 'Approvers', users.withoutThoseWhoLeft)
  }

  #monitoring() {
    this.on('READ', 'Health', readHealth)
    this.#do('READ', 'ToDos', readToDos)
    this.#do('READ', 'Defaults', users.readDefaults)
    this.#do('READ', 'ForecastQuality', readForecastQuality)
    this.#do('READ', 'QualityParts', readQualityParts)
    this.#do('READ', 'QualityGroups', readQualityGroups)
    this.#do('READ', 'QualityWorst', readWorstPairs)
    this.on('verifyAudit', verifyAudit)
    this.on(
      'exportPerson',
      withODataErrors(({ data }: Request<Person>) => exportPerson(data.user)),
    )
    this.on(
      'erasePerson',
      withODataErrors(({ data }: Request<Person>) => erasePerson(data.user)),
    )
  }

  #computedElements() {
    const named = ['QuarantinedRows', 'PlannedEvents', 'Webhooks']
    this.before('READ', ['BlockedPairs', 'Policies', 'AuditLog', ...named], (req) =>
      addSourceElements(req, rules.SOURCE_ELEMENTS),
    )
    this.before('READ', ['BlockedPairs', 'Policies'], sortByCode)
    for (const [entity, show] of Object.entries(COMPUTED_ELEMENTS))
      this.after('READ', entity, eachRow(show))
    this.after('READ', 'ExchangeRates', (result: unknown, { user }) =>
      eachRow((row) => void (row.isRemovable = user.is('Admin') && row.source === 0))(result),
    )
    this.after('READ', 'PlannedEvents', (result: unknown, { user }) =>
      eachRow((row) => void (row.isRemovable = user.is('Admin') && row.number === null))(result),
    )
    this.after('READ', 'HolidayCalendars', (result: unknown, { user }) =>
      eachRow((row) => void (row.isRemovable = user.is('Admin')))(result),
    )
    this.after('READ', CHANGEABLE, (result: unknown, { user }) =>
      eachRow((row) => void (row.mayChange = user.is('Admin')))(result),
    )
  }
}

/** Entities whose pages offer changes to administrators. */
const CHANGEABLE = ['Sources', 'Syncs', 'Policies', 'Webhooks', 'Approvers']

/** Adds elements that no table stores, by entity. */
const COMPUTED_ELEMENTS: Record<string, (row: ODataRow) => unknown> = {
  Sources: sources.addSourceState,
  Syncs: sources.addSyncProgress,
  QuarantinedRows: sources.nameRecord,
  PlannedEvents: rules.nameSku,
  Webhooks: others.nameEvents,
  Policies: rules.showRule,
  BlockedPairs: rules.showBlocked,
  HolidayCalendars: rules.nameCountry,
  UserLimits: users.formatUserLimit,
  AuditLog: addDetailText,
}

const eachRow = (show: (row: ODataRow) => unknown) => async (result: unknown) => {
  for (const row of Array.isArray(result) ? result : [result]) if (row) await show(row as ODataRow)
}

/** Entries that one call verifies, so that no call takes long. */
const AUDIT_PIECE = 100_000

async function verifyAudit({ data: { afterSeq, afterHash } }: Request<AuditPlace>) {
  const from = afterSeq && afterHash ? { seq: afterSeq, hash: afterHash } : null
  const found = await verifyNow({ from, limit: AUDIT_PIECE })
  const { valid, entries, broken, next } = found
  const { seq = null, problem = null, object = null } = broken ?? {}
  return {
    valid,
    entries,
    seq,
    problem,
    object,
    nextSeq: next?.seq ?? null,
    nextHash: next?.hash ?? null,
  }
}

interface AuditPlace {
  afterSeq?: number | null
  afterHash?: string | null
}
