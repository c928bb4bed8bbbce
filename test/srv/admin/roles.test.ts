import { connectFiles, steadyDemand, sync } from '../../support/server.ts'
import { act, call, get, rows } from './admin.ts'

const ENTITIES = [
  ...['Sources', 'Rights', 'Streams', 'SourceTypes', 'Syncs', 'SyncIssues', 'QuarantinedRows'],
  ...['Policies', 'PolicyLevels', 'BlockedPairs', 'ApiKeys', 'Scopes', 'Webhooks', 'Deliveries'],
  ...['EventTypes', 'UserLimits', 'RoleLimits', 'ExchangeRates', 'PlannedEvents'],
  ...['HolidayCalendars', 'Countries'],
  ...['Skus', 'Suppliers', 'Locations', 'SkuGroups', 'AbcClasses', 'LeadTimeLevels'],
  ...['Delegations', 'Approvers', 'ApprovingRoles'],
  ...[
    'AuditLog',
    'ForecastQuality',
    'QualityParts',
    'Health',
    'SyncModes',
    'SourceStatuses',
    'SyncStatuses',
    'ApiKeyStates',
  ],
]

/** Each action, and each DELETE, with an object that is there where it is needed. */
const CHANGES: [method: string, path: string][] = [
  ['POST', 'connect'],
  ['POST', 'Sources(1)/AdminService.check'],
  ['POST', 'Sources(1)/AdminService.consentAgain'],
  ['POST', 'Sources(1)/AdminService.syncNow'],
  ['POST', 'Sources(1)/AdminService.setSchedules'],
  ['DELETE', 'Sources(1)'],
  ['POST', 'Syncs(1)/AdminService.cancel'],
  ['POST', 'Policies/AdminService.setRule'],
  [
    'POST',
    `${'Policies'}(level='default',skuGroup='',supplier='',sku='',location='')/AdminService.change`,
  ],
  ['DELETE', `Policies(level='default',skuGroup='',supplier='',sku='',location='')`],
  ['POST', `BlockedPairs(series=1,missing='lead_time')/AdminService.setLeadTime`],
  ['POST', 'ApiKeys/AdminService.issue'],
  ['POST', `ApiKeys('0123456789abcdef')/AdminService.rotate`],
  ['POST', `ApiKeys('0123456789abcdef')/AdminService.revoke`],
  ['POST', 'Webhooks/AdminService.add'],
  ['POST', 'Webhooks(1)/AdminService.rotate'],
  ['POST', 'Webhooks(1)/AdminService.activate'],
  ['POST', 'Webhooks(1)/AdminService.disable'],
  ['DELETE', 'Webhooks(1)'],
  ['POST', `Deliveries(webhook=1,event='0')/AdminService.replay`],
  ['POST', 'UserLimits/AdminService.setUserLimit'],
  ['DELETE', `UserLimits('buyer')`],
  ['POST', 'RoleLimits/AdminService.setRoleLimit'],
  ['DELETE', `RoleLimits('Buyer')`],
  ['POST', 'ExchangeRates/AdminService.setRate'],
  ['DELETE', `ExchangeRates(fromCurrency='USD',toCurrency='EUR',validFrom=2026-01-01,source=0)`],
  ['POST', 'PlannedEvents/AdminService.addEvent'],
  ['DELETE', 'PlannedEvents(1)'],
  ['POST', 'HolidayCalendars/AdminService.setHolidays'],
  ['DELETE', `HolidayCalendars('L1')`],
  ['POST', 'Delegations/AdminService.delegate'],
  ['POST', 'Delegations(00000000-0000-4000-8000-000000000000)/AdminService.end'],
]

beforeAll(async () => {
  const source = await connectFiles('admin-roles', {
    'demand.csv': steadyDemand(['A']),
    'stock.csv': 'sku,location,on_hand\nA,L1,3\n',
  })
  await sync(source, 'full')
})

describe.each(['viewer', 'buyer', 'approver'])('%s', (as) => {
  it.each(ENTITIES)('does not read %s', async (entity) => {
    expect((await get(entity, as)).status).toBe(403)
  })

  it.each(CHANGES)('does not %s %s', async (method, path) => {
    const body = method === 'POST' ? {} : undefined
    expect((await call(method, path, { as, body })).status).toBe(403)
  })

  it('does not read the model', async () => {
    expect((await get('$metadata', as)).status).toBe(403)
  })
})

describe('the auditor', () => {
  it.each(ENTITIES)('reads %s', async (entity) => {
    expect((await get(entity, 'auditor')).status).toBe(200)
  })

  it.each(CHANGES)('does not %s %s', async (method, path) => {
    const body = method === 'POST' ? {} : undefined
    expect((await call(method, path, { as: 'auditor', body })).status).toBe(403)
  })

  it('verifies the audit trail, and is offered nothing to change', async () => {
    expect((await act('verifyAudit', {}, 'auditor')).json.valid).toBe(true)
    expect((await get('Health', 'auditor')).json.mayChange).toBe(false)
  })
})

it('lets nobody write what only actions write', async () => {
  for (const entity of ENTITIES.filter((each) => each !== 'Health')) {
    expect((await call('POST', entity, { body: {} })).status).toBe(405)
  }
  const [source] = await rows('Sources')
  const answer = await call('PATCH', `Sources(${source!.ID})`, { body: { role: 'other' } })
  expect(answer.status).toBe(405)
})

it('asks nobody without a name in', async () => {
  expect((await call('GET', 'Sources', { as: 'nobody' })).status).toBe(401)
})
