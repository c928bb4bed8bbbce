// The kinds of values that settings take, each with the words for what is allowed.
import { z } from 'zod'
import { isTimeZone } from '../../../adapters/time-zone.ts'
import { isLoopbackHost } from '../http/addresses.ts'
import { CURRENCY } from '../input.ts'
import { findCronFault } from '../time/cron.ts'

/** Gives a kind of value the words that stand in the table and in the refusal of another value. */
const allow = <Schema extends z.ZodType>(allowed: string, schema: Schema): Schema =>
  schema.meta({ allowed })

const flag = () => allow('`true` or `false`', z.boolean())
const whole = (least: number, most: number) =>
  allow(`a whole number from ${least} to ${most}`, z.int().min(least).max(most))
const share = (most: number) => allow(`a number from 0 to ${most}`, z.number().min(0).max(most))
const text = () => allow('a text', z.string().min(1))
/** Kept as a decimal string, so that no digit is lost; in the account's currency unless it names another. */
const limit = () =>
  allow(
    'an amount such as `"10000.00"` or `"10000.00 USD"`',
    z.preprocess(
      (value) => (typeof value === 'number' ? String(value) : value),
      z.string().regex(/^\d{1,15}(\.\d{1,4})?( [A-Z]{3})?$/),
    ),
  )
const currency = () => allow('a currency of ISO 4217 such as `"EUR"`', z.string().regex(CURRENCY))
const address = () => allow('an `http` or `https` address', z.url({ protocol: /^https?$/ }))
const cron = () =>
  allow(
    'a cron expression of five fields, or `off`',
    z.string().refine((expression) => !findCronFault(expression)),
  )
const namePart = () =>
  allow(
    '1 to 64 letters, digits, dots, dashes and underscores',
    z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  )
const texts = () => allow('texts by name', z.record(z.string(), z.string()))
const zoneName = () => z.string().refine(isTimeZone)
const timeZone = () =>
  allow('a time zone of the IANA database, such as `"Europe/Berlin"`', zoneName())
const timeZones = () =>
  allow(
    'time zones of the IANA database by location, such as `{"1010": "America/Los_Angeles"}`',
    z.record(z.string(), zoneName()),
  )
const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  allow(values.map((value) => `\`"${value}"\``).join(' or '), z.enum(values))

// Every setting of the service: what it allows, its default and what it is for. docs/guides/operations.md lists them.

const isSafe = (url: string) => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || isLoopbackHost(hostname)
}

const EACH = z.strictObject({
  publicUrl: address()
    .nullable()
    .default(null)
    .describe(
      "address that browsers reach the service by; unless set the platform's route, in development `http://localhost:<port>`",
    ),
  host: text()
    .nullable()
    .default(null)
    .describe(
      'address to listen at; unless set all of the machine in production, else `127.0.0.1`',
    ),
  trustProxy: allow(
    "a value of Express's `trust proxy`",
    z.union([z.boolean(), z.int().min(0), z.string(), z.array(z.string())]),
  )
    .nullable()
    .default(null)
    .describe(
      "proxies before the service that name the caller's address; `0` for none; production must say it, but for Cloud Foundry, where it is 1",
    ),
  frameAncestors: allow('one address or a list of them', z.union([z.string(), z.array(z.string())]))
    .default([])
    .describe('hosts that may show the apps in a frame, such as a launchpad'),
  identity: z
    .strictObject({
      issuer: address()
        .nullable()
        .default(null)
        .describe('OpenID Connect provider that people sign in at; instead of XSUAA or IAS'),
      clientId: text().nullable().default(null).describe('client that Restock is registered as'),
      audience: text()
        .nullable()
        .default(null)
        .describe('audience of access tokens that callers bring; unless set none are taken'),
      scopes: text().default('openid profile email').describe('scopes that sign-in asks for'),
      userClaim: text()
        .default('sub')
        .describe('claim that names a person; must be unique and never given to another one'),
      rolesClaim: text()
        .default('roles')
        .describe('claim with the roles; dots lead into objects, as in `realm_access.roles`'),
      roleNames: texts()
        .optional()
        .describe('role by value of that claim; unless set the values are the names of roles'),
      locationsClaim: text()
        .nullable()
        .default(null)
        .describe(
          'claim with the locations that a person sees; `*` is all, and without the claim none',
        ),
      groupsClaim: text().nullable().default(null).describe('the same for groups of SKUs'),
      clockSkewSeconds: whole(0, 300)
        .default(30)
        .describe("by which the provider's clock may differ"),
      idleMinutes: whole(5, 1440)
        .default(30)
        .describe('minutes without a call after which a session ends'),
      sessionHours: whole(1, 24)
        .default(8)
        .describe('hours after the sign-in at which a session ends'),
      rolesMinutes: whole(4, 1440)
        .default(60)
        .describe(
          'minutes for which roles and rows hold that the provider gave: a session in which they cannot be read again ends',
        ),
    })
    .prefault({}),
  timeZone: timeZone()
    .default('UTC')
    .describe(
      'in which the days of locations begin and end whose zone nothing else says, and schedules are meant ([time zones](#time-zones))',
    ),
  locationTimeZones: timeZones()
    .default({})
    .describe('the same for single locations by their code, before what the ERP says'),
  sharedLimits: flag()
    .nullable()
    .default(null)
    .describe(
      'whether instances count calls together, through the database; unless set on every database but SQLite',
    ),
  readsPerMinute: whole(1, 1e9)
    .default(6000)
    .describe(
      'reads of one person over OData in a minute, the parts of a batch one by one; decisions are never limited',
    ),
  unknownCallsPerMinute: whole(1, 1e9)
    .default(600)
    .describe(
      'calls of one address in a minute that bring no valid sign-in; `/v1` has limits of its own',
    ),
  connections: z
    .strictObject({
      headersSeconds: whole(1, 3600)
        .default(10)
        .describe('time in which a call must have sent its header'),
      requestSeconds: whole(1, 3600)
        .default(30)
        .describe('time in which a call must have sent its header and its body'),
      idleSeconds: whole(1, 86_400)
        .default(120)
        .describe('time after which a connection closes on which nothing moves'),
      keepAliveSeconds: whole(1, 3600)
        .nullable()
        .default(null)
        .describe(
          "time that a connection waits for its next call; more than the router's; unless set 91 on Cloud Foundry and 5 elsewhere",
        ),
    })
    .prefault({}),
  database: z
    .strictObject({
      statementSeconds: whole(1, 3600)
        .default(30)
        .describe('time after which PostgreSQL cuts off a statement that a caller waits for'),
      workStatementSeconds: whole(1, 86_400)
        .default(600)
        .describe("the same for a statement of the service's own work, such as a sync"),
    })
    .prefault({}),
  shutdown: z
    .strictObject({
      readySeconds: whole(0, 60)
        .nullable()
        .default(null)
        .describe(
          'time after SIGTERM in which `/health/ready` says 503 while calls are still served, so that a balancer sends no more; unless set 5 in production, else 0',
        ),
      forceSeconds: whole(5, 600)
        .default(25)
        .describe('time after SIGTERM at which the process ends, whatever it does'),
    })
    .prefault({}),
  defaultHorizonDays: whole(1, 90)
    .default(28)
    .describe('horizon of a forecast where the caller names none'),
  proposalExpiryDays: whole(1, 365)
    .default(7)
    .describe(
      'days after which an undecided proposal expires; each sync that confirms it and the end of a snooze start them anew',
    ),
  reviewPeriodDays: whole(1, 365)
    .default(7)
    .describe('days between order decisions where the ERP names none'),
  leadTimeSource: oneOf('planned', 'measured', 'larger')
    .default('planned')
    .describe(
      "lead time to plan with: the ERP's, the one measured from receipts with its spread, or the larger of both; ordering rules come first",
    ),
  leadTimeReceipts: whole(2, 1000)
    .default(8)
    .describe('receipts of the last year without which no lead time is measured'),
  orderLineCost: share(1e6)
    .default(0)
    .describe(
      'cost of one order line, in the currency of the unit cost: what is cheap and slow is ordered less often than its review period says',
    ),
  orderCost: share(1e6)
    .default(0)
    .describe(
      "cost of a supplier's order whatever its lines, in the currency of the unit cost, where no rule of the supplier has one: an order waits where that is the cheaper, else it lasts longer",
    ),
  lineWorth: share(1e6)
    .default(2)
    .describe(
      'what waiting with an order line must cost, in its currency, for the line to be shown by itself: smaller ones are one row by supplier, and no part of one is taken into a budget; `0` folds none',
    ),
  thoughtFrom: share(1e9)
    .default(500)
    .describe(
      'how much of the value of an order line may be uncertain, in its currency, before the line is marked as one that needs thought: its value times the width of its forecast, twice where its numbers have changed',
    ),
  stockoutCostShare: share(100)
    .default(0.4)
    .describe('cost of a unit short, as a share of the unit cost; gives the service target'),
  carryingCostSharePerYear: share(100)
    .default(0.25)
    .describe('cost of a unit held for a year, as a share of the unit cost'),
  abcShareA: share(1)
    .default(0.8)
    .describe('share of the value of demand that pairs of class A make up; at most `abcShareB`'),
  abcShareB: share(1).default(0.95).describe('likewise, those of A and B together'),
  unmetDemand: oneOf('backordered', 'lost')
    .default('backordered')
    .describe('whether demand that finds no stock waits or is lost, as in a shop'),
  supplierMinimumCoverDays: whole(0, 3650)
    .default(28)
    .describe(
      "days of demand beyond its target stock that a line is raised to at most for its supplier's minimum, container or freight",
    ),
  priceBreakCoverDays: whole(0, 3650).default(90).describe('the same for a price break of its own'),
  staleDataAfterDays: whole(1, 365)
    .default(3)
    .describe(
      'days after which demand or stock is too old to order by: what is proposed from it is not due',
    ),
  staleTolerance: share(1)
    .default(0.2)
    .describe(
      "share by which today's quantity and cost may differ from the proposed ones at approval",
    ),
  orderedWithinDays: whole(1, 365)
    .default(7)
    .describe(
      'days after its approval in which an order of a proposal must be found in the ERP, else it is flagged',
    ),
  approvedSupplyDays: whole(1, 365)
    .default(14)
    .describe(
      'days for which an approved proposal counts as supply though no order of it is found in the ERP; afterwards it is an exception',
    ),
  draftDays: whole(0, 3650)
    .default(30)
    .describe(
      'age in days up to which requisitions and other drafts of the ERP count as coming; 0: none do',
    ),
  confirmedWithinDays: whole(0, 365)
    .default(5)
    .describe(
      'days after which an order that its supplier has not confirmed is an exception, where the source tells of confirmations; 0: never',
    ),
  redistribution: flag()
    .default(false)
    .describe('whether transfers between own locations are proposed'),
  currency: currency()
    .default('EUR')
    .describe(
      "the account's currency: of limits that name none, of amounts for which the ERP names none, and the one by way of which others are converted",
    ),
  secondApproverAbove: limit()
    .nullable()
    .default(null)
    .describe('value above which a second person must agree; `null` is never'),
  approvalLimits: z
    .strictObject({
      Buyer: limit()
        .nullable()
        .default('10000.00')
        .describe('highest value a buyer approves; `null` is no limit'),
      ApproverHigh: limit().nullable().default(null).describe('the same for a senior approver'),
    })
    .prefault({}),
  userLeftAfterDays: whole(1, 3650)
    .default(90)
    .describe(
      'days without a sign-in after which somebody has left: keys decide no more as this person, delegations end',
    ),
  approvalDayLimits: z
    .strictObject({
      Buyer: limit()
        .nullable()
        .default(null)
        .describe(
          'highest value a buyer approves for a supplier on a day (of `timeZone`); `null` is the same as by line',
        ),
      ApproverHigh: limit().nullable().default(null).describe('the same for a senior approver'),
    })
    .prefault({}),
  approvalLimitsPer: oneOf('line', 'supplierAndDay', 'both')
    .default('both')
    .describe(
      'what limits are held against: each line, all that a person approves for a supplier on a day, or both; `secondApproverAbove` likewise',
    ),
  deletionGuard: z
    .strictObject({
      share: share(1).default(0.5).describe('highest share of the rows that a read may delete'),
      minRows: whole(0, 1e9).default(100).describe('number of rows from which on this holds'),
    })
    .prefault({}),
  syncsAtOnce: whole(1, 16)
    .default(1)
    .describe(
      'syncs that an instance works on at once, each with memory of its own; the others wait as `queued`, for whichever instance is free first',
    ),
  threads: whole(1, 64)
    .nullable()
    .default(null)
    .describe(
      'threads of an instance that calculate forecasts; without it as many as there are cores',
    ),
  schedules: z
    .strictObject({
      full: cron()
        .default('0 2 * * *')
        .describe(
          'full syncs of every source that has no schedule of its own; all by the clocks of the time zone of the source, else of `timeZone`',
        ),
      incremental: cron().default('0 * * * *').describe('the same for incremental syncs'),
      housekeeping: cron().default('*/5 * * * *').describe('when proposals expire'),
    })
    .prefault({}),
  tasks: z
    .strictObject({
      applicationId: namePart()
        .default('restock')
        .describe('first part of the URNs of tasks; never change it once in use'),
      applicationInstanceId: namePart().default('default').describe('second part of the URNs'),
      tenantId: namePart().default('default').describe('third part of the URNs'),
      grouping: oneOf('proposal', 'supplier')
        .default('proposal')
        .describe('`supplier`: one task for all lines of an order'),
      groups: texts().optional().describe('group of the identity service by role'),
      purchasingGroups: allow(
        'texts by role, by purchasing group',
        z.record(z.string(), z.record(z.string(), z.string())),
      )
        .optional()
        .describe('group by role, by the purchasing group of the SKU; instead of `groups`'),
      globalUserIds: texts()
        .optional()
        .describe('user id by Global User ID, where tokens do not name it'),
      uiLink: text()
        .optional()
        .describe('address of the page of a proposal, `{id}` stands for its number'),
      mail: z
        .strictObject({
          from: text().describe(
            'sender of mails about open tasks; no mails where `mail` is absent',
          ),
          hour: whole(0, 23)
            .default(6)
            .describe('hour, in `timeZone`, from which on the daily mail is sent'),
          addresses: texts()
            .default({})
            .describe('mail address by user id, where the id is not an address'),
          languages: allow(
            '`de` or `en` by name',
            z.record(z.string(), z.string().regex(/^(de|en)\b/)),
          )
            .default({})
            .describe('language by user id, `*` for all others'),
        })
        .optional(),
    })
    .prefault({}),
  audit: z
    .strictObject({
      anchorFile: text()
        .nullable()
        .default(null)
        .describe(
          'file with the newest head of the audit trail, out of reach of whoever can write to the database alone; `off` for none; unless set beside an SQLite file, else in `.restock/`, and none on Cloud Foundry, where files do not last',
        ),
      anchorUrl: allow(
        'an `https` address (`http` of this machine alone)',
        z.url({ protocol: /^https?$/ }).refine(isSafe),
      )
        .nullable()
        .default(null)
        .describe('address that is sent the same by PUT and answers it to GET'),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      port: whole(1, 65_535)
        .nullable()
        .default(null)
        .describe(
          'port of `/metrics` for Prometheus, a port of its own without a sign-in; unless set nothing is measured ([monitoring](monitoring.md))',
        ),
      host: text()
        .default('127.0.0.1')
        .describe('address to listen at there; `0.0.0.0` for all: let Prometheus alone reach it'),
    })
    .prefault({}),
  ui5: oneOf('built')
    .nullable()
    .default(null)
    .describe('`"built"`: UI5 is never fetched, only served where it has been built'),
  demo: allow('`true`, `false` or `"key"`', z.union([z.boolean(), z.literal('key')]))
    .default(false)
    .describe(
      'development only: `true` (the default there) connects the demo where there is no source and keeps a key for the CLI, `"key"` only the key',
    ),
})

const { abcShareA: SHIPPED_SHARE_A } = EACH.parse({})

/** `cds.restock` of CAP's configuration; every single value also has an environment variable. */
export const SETTINGS = EACH.superRefine(({ abcShareA: a, abcShareB: b }, { addIssue }) => {
  if (a <= b) return
  const [name, allowed] =
    a === SHIPPED_SHARE_A
      ? ['abcShareB', `a number from ${a}, which is abcShareA, to 1`]
      : ['abcShareA', `a number from 0 to ${b}, which is abcShareB`]
  addIssue({ code: 'custom', path: [name], params: { allowed } })
})

const KEY = 'openssl rand -base64 32'
const isKey = (value: string) =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(value.trim()) && Buffer.from(value, 'base64').length === 32

/** What only the environment sets. A secret's value is never shown. */
export const ENVIRONMENT = z.object({
  RESTOCK_ENCRYPTION_KEY: allow(`32 bytes in base64 (${KEY})`, z.string().refine(isKey))
    .optional()
    .meta({
      secret: true,
      description:
        'key that seals tokens and secrets; development makes one in `.restock/`, production needs it ([connect](connect.md))',
    }),
  RESTOCK_ENCRYPTION_KEY_PREVIOUS: allow(
    'keys like the present one, joined by commas',
    z.string().refine((keys) => keys.split(',').every((key) => !key.trim() || isKey(key))),
  )
    .optional()
    .meta({ secret: true, description: 'former keys, which still open what they sealed' }),
  RESTOCK_IDENTITY_CLIENT_SECRET: text()
    .optional()
    .meta({ secret: true, description: 'secret of that client; none for a public one' }),
  RESTOCK_AUDIT_ANCHOR_TOKEN: text()
    .optional()
    .meta({ secret: true, description: 'bearer token that `audit.anchorUrl` is called with' }),
  RESTOCK_SMTP_URL: allow(
    'an address `smtps://user:password@host`',
    z.url({ protocol: /^smtps?$/ }),
  )
    .optional()
    .meta({ secret: true, description: 'mail server for mails about open tasks' }),
  RESTOCK_CSV_ROOT: text().default('data').describe('root folder of the csv sources'),
  RESTOCK_CSV_SETTLE_SECONDS: allow(
    'a whole number from 0 to 600',
    z.string().regex(/^([0-9]|[1-9][0-9]|[1-5][0-9]{2}|600)$/),
  )
    .default('2')
    .describe('seconds without a change after which a file of a csv source is taken to be whole'),
  RESTOCK_CA_ROOT: text()
    .default('certificates')
    .describe(
      'folder of the certification authorities that the option `ca_file` of a source may name',
    ),
  RESTOCK_RATE_LIMIT: allow('`on` or `off`', z.enum(['on', 'off']))
    .default('on')
    .describe('`off` lifts the limits of `/v1`, in development only'),
  RESTOCK_WEBHOOKS_ALLOW_PRIVATE: allow(
    '`true` or `false`',
    z.stringbool({ truthy: ['true'], falsy: ['false'] }),
  )
    .default(false)
    .describe(
      '`true` allows webhooks to private addresses and `http`, in development and tests only',
    ),
})

export type Settings = z.output<typeof SETTINGS>
/** As it may stand in the configuration: whatever has a default may be left out. */
export type SettingsInput = z.input<typeof SETTINGS>
export type Environment = z.output<typeof ENVIRONMENT>
export type MailSettings = NonNullable<Settings['tasks']['mail']>

/** Whether the value may not be shown. */
export const isSecret = (schema: z.ZodType) => schema.meta()?.secret === true

/** What the value of a setting may be, in words. */
export function allowedBy(schema: z.ZodType): string | undefined {
  const allowed = schema.meta()?.allowed
  if (allowed) return String(allowed)
  return schema instanceof z.ZodNullable
    ? `${allowedBy(innerOf(schema)!)} or \`null\``
    : innerOf(schema) && allowedBy(innerOf(schema)!)
}

/** What `default`, `nullable` and `optional` were called on. */
const innerOf = (schema: z.ZodType): z.ZodType | undefined =>
  (schema.def as { innerType?: z.ZodType }).innerType

/** The members of a group of settings; null for a single one. */
export function membersOf(schema: z.ZodType): Record<string, z.ZodType> | null {
  if (schema instanceof z.ZodObject) return schema.shape
  const inner = innerOf(schema)
  return inner ? membersOf(inner) : null
}
