import cds from '@sap/cds'
import { guideOfSettings } from '../../scripts/settings-table.ts'
import { assertConfiguration, environment, settings } from '../../srv/base/settings/config.ts'

const { env } = process
const variables = { ...env }
const configuration: Record<string, unknown> = cds.env
const configured = configuration.restock

afterEach(() => {
  process.env = { ...variables }
  configuration.restock = configured
})

const configure = (restock: unknown) => void (configuration.restock = restock)

it('what is not configured has its default, also within a group', () => {
  configure({ schedules: { full: 'off' }, reviewPeriodDays: 14 })
  expect(settings()).toMatchObject({
    ...{ publicUrl: null, defaultHorizonDays: 28, reviewPeriodDays: 14, demo: false },
    schedules: { full: 'off', incremental: '0 * * * *' },
    approvalLimits: { Buyer: '10000.00', ApproverHigh: null },
    tasks: { applicationId: 'restock', grouping: 'proposal' },
  })
})

it('a change at run time counts at once', () => {
  configure({})
  settings().redistribution = true
  expect(settings().redistribution).toBe(true)
})

it('an amount is a decimal string, however it was configured', () => {
  configure({ secondApproverAbove: 2500.5, approvalLimits: { Buyer: '10000.00' } })
  expect(settings()).toMatchObject({
    secondApproverAbove: '2500.5',
    approvalLimits: { Buyer: '10000.00' },
  })
})

it('each setting has its environment variable, which wins', () => {
  configure({ reviewPeriodDays: 14, tasks: { mail: { from: 'a@example.com', hour: 8 } } })
  Object.assign(process.env, {
    RESTOCK_PUBLIC_URL: 'https://restock.example',
    RESTOCK_REVIEW_PERIOD_DAYS: '3',
    RESTOCK_APPROVAL_LIMITS_BUYER: 'null',
    RESTOCK_TASKS_TENANT_ID: '123',
    RESTOCK_TASKS_GROUPS: '{"Buyer":"Purchasing"}',
    RESTOCK_TASKS_MAIL_HOUR: '7',
    RESTOCK_UI5: 'built',
    RESTOCK_DEMO: 'key',
  })
  expect(settings()).toMatchObject({
    ...{ publicUrl: 'https://restock.example', reviewPeriodDays: 3, ui5: 'built', demo: 'key' },
    approvalLimits: { Buyer: null },
    tasks: {
      tenantId: '123',
      groups: { Buyer: 'Purchasing' },
      mail: { from: 'a@example.com', hour: 7 },
    },
  })
})

it('of the environment an empty variable is none', () => {
  Object.assign(process.env, { RESTOCK_RATE_LIMIT: '', RESTOCK_WEBHOOKS_ALLOW_PRIVATE: 'true' })
  expect(environment()).toMatchObject({
    RESTOCK_RATE_LIMIT: 'on',
    RESTOCK_WEBHOOKS_ALLOW_PRIVATE: true,
  })
})

it('variables of the CLI and of Kubernetes are nobody else', () => {
  const API_KEY = 'rsk_1'
  Object.assign(process.env, {
    RESTOCK_API_KEY: API_KEY,
    RESTOCK_URL: 'http://localhost:4004/v1',
    RESTOCK_SERVICE_HOST: '10.0.0.1',
    RESTOCK_PORT_4004_TCP: 'tcp://10.0.0.1:4004',
  })
  expect(assertConfiguration).not.toThrow()
})

it.each([
  [
    { defaultHorizonDays: 'x' },
    'cds.restock.defaultHorizonDays is "x", but must be a whole number from 1 to 90.',
  ],
  [
    { abcShareA: 0.97 },
    'cds.restock.abcShareA is 0.97, but must be a number from 0 to 0.95, which is abcShareB.',
  ],
  [
    { abcShareB: 0.5 },
    'cds.restock.abcShareB is 0.5, but must be a number from 0.8, which is abcShareA, to 1.',
  ],
  [
    { abcShareA: 0.7, abcShareB: 0.6 },
    'cds.restock.abcShareA is 0.7, but must be a number from 0 to 0.6, which is abcShareB.',
  ],
  [{ abcShareA: 1.5 }, 'cds.restock.abcShareA is 1.5, but must be a number from 0 to 1.'],
  [
    { schedules: { full: '* *' } },
    'cds.restock.schedules.full is "* *", but must be a cron expression of five fields, or off.',
  ],
  [
    { timeZone: 'CET+1:00' },
    'cds.restock.timeZone is "CET+1:00", but must be a time zone of the IANA database, such as "Europe/Berlin".',
  ],
  [
    { locationTimeZones: { 1010: 'Berlin' } },
    'cds.restock.locationTimeZones is {"1010":"Berlin"}, but must be time zones of the IANA database by location, such as {"1010": "America/Los_Angeles"}.',
  ],
  [{ schedules: 'off' }, 'cds.restock.schedules is "off", but must be a group of settings.'],
  [
    { publicUrl: 'here' },
    'cds.restock.publicUrl is "here", but must be an http or https address or null.',
  ],
  [{ tasks: { mail: {} } }, 'cds.restock.tasks.mail.from is absent, but must be a text.'],
  [
    { tasks: { grouping: 'sku' } },
    'cds.restock.tasks.grouping is "sku", but must be "proposal" or "supplier".',
  ],
  [
    { publicurl: 'https://x' },
    'cds.restock.publicurl is "https://x", but there is no such setting: publicUrl is meant.',
  ],
  [
    { deletionGuard: { rows: 3 } },
    'cds.restock.deletionGuard.rows is 3, but there is no such setting.',
  ],
  [
    { approvalLimits: { Buyer: -1 } },
    'cds.restock.approvalLimits.Buyer is -1, but must be an amount such as "10000.00" or "10000.00 USD" or null.',
  ],
])('the start ends at %j with its name, value and what is allowed', (restock, sentence) => {
  configure(restock)
  expect(assertConfiguration).toThrow(sentence)
})

it.each([
  [
    'RESTOCK_STALE_TOLERANCE',
    'much',
    'RESTOCK_STALE_TOLERANCE is "much", but must be a number from 0 to 1.',
  ],
  ['RESTOCK_RATE_LIMIT', 'none', 'RESTOCK_RATE_LIMIT is "none", but must be on or off.'],
  [
    'RESTOCK_PUBLICURL',
    'https://x',
    'RESTOCK_PUBLICURL is set in the environment, but there is no such setting: RESTOCK_PUBLIC_URL is meant.',
  ],
  [
    'RESTOCK_SMTP_URL',
    'http://user:secret@host',
    'RESTOCK_SMTP_URL is malformed (not shown), but must be an address smtps://user:password@host.',
  ],
])('and at %s', (name, value, sentence) => {
  process.env[name] = value
  configure({})
  expect(assertConfiguration).toThrow(sentence)
})

it('the guide lists every setting: npm run docs', async () => {
  const { text, expected } = await guideOfSettings()
  expect(text).toBe(expected)
})
