import { z } from 'zod'
import type { SourceStatus } from '#cds-models/restock'
import { ADAPTER_TYPES } from '../../../../adapters/index.ts'
import { code, codesOf, text } from '../../../base/input.ts'
import { toSnake } from '../../../base/texts/case.ts'
import { LANGUAGES } from '../../../base/texts/texts.ts'
import { CRON_RULE, findCronFault } from '../../../base/time/cron.ts'
import * as domain from '../../../domain/sources/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toElements, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'

const Status = codesOf<SourceStatus>({
  pending_consent: true,
  connected: true,
  reconsent_required: true,
  failing: true,
})

const [Schedule, toSchedule] = fieldMap<domain.Source['schedules']['full']>()('Schedule', {
  expression: z
    .string()
    .describe('Cron of five fields by the clocks of the time zone of the source, or `off`.'),
  is_default: z.boolean().describe('Whether it is the configured one.'),
  next_run_at: z.iso.datetime().nullable(),
})

const field = fieldsOf<domain.Source>()

const [Source, toSource] = fieldMap<domain.Source>()('Source', {
  id: field('ID', z.string(), (ID) => toId('src', ID)),
  type: z.string(),
  account: z.string(),
  role: z.string(),
  base_url: z.string().nullable(),
  demo: z.boolean().describe('Whether it is the demo data that the service generates.'),
  status: Status,
  needed_rights: field('neededRights', z.array(z.string())),
  granted_rights: field('grantedRights', z.array(z.string())),
  streams: field(
    'checks',
    z
      .array(
        z.object({
          stream: z.string(),
          status: z.enum(['ok', 'absent', 'forbidden', 'failed']),
          message: z.string().nullable(),
          preview: z
            .array(z.string())
            .optional()
            .describe('The first rows of a file as they are understood.'),
          notes: z.array(z.string()).optional().describe('What an administrator should look at.'),
        }),
      )
      .describe(
        'The streams that were last checked and whether they can be read; empty before the first check.',
      ),
    (checks) =>
      checks.map(({ record: stream, status, message, preview, notes }) => ({
        stream,
        status,
        message,
        ...(preview && { preview }),
        ...(notes && { notes }),
      })),
  ),
  streams_checked_at: field('checkedAt', z.iso.datetime().nullable()),
  time_zone: field(
    'timeZone',
    z
      .string()
      .describe('Of its schedules, and of the days of locations of which nothing else says it.'),
  ),
  schedules: field(
    'schedules',
    z.object({ full: Schedule, incremental: Schedule }),
    ({ full, incremental }) => ({ full: toSchedule(full), incremental: toSchedule(incremental) }),
  ),
  precedence: z
    .int()
    .describe(
      'Of several sources with the same SKU and location the one with the least leads; of equal ones the one that was connected first.',
    ),
  led_by: field(
    'ledBy',
    z
      .array(z.object({ source_id: z.string(), pairs: z.int() }))
      .describe(
        'Other sources that lead pairs of this one, which it does not forecast: listed as blocked.',
      ),
    (ledPairs) => ledPairs.map(({ source, pairs }) => ({ source_id: toId('src', source), pairs })),
  ),
  problem: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the last consent failed or is no longer valid.'),
  consent_expires_at: z.iso.datetime().nullable().describe('When the consent request expires.'),
  consent_ends_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the ERP ends the consent, whatever is read: consent again before. Null where it does not.',
    ),
  last_sync: field(
    'lastSync',
    z
      .object({ id: z.string(), status: z.string(), finished_at: z.iso.datetime().nullable() })
      .nullable(),
    (sync) =>
      sync && {
        id: toId('sync', sync.ID),
        status: sync.status,
        finished_at: sync.finishedAt,
      },
  ),
  data_as_of: z.iso.date().nullable(),
  created_at: z.iso.datetime(),
})

const scopes = ['sources:manage'] as const

export const ofSource = named('src', domain.readSource)

const NewSource = Source.extend({
  authorization_url: z
    .string()
    .nullable()
    .describe(
      'Where consent begins, if any is needed: leads the first browser that opens it to the page of the ERP.',
    ),
  expires_at: z.iso.datetime().nullable().describe('Until when consent may be given.'),
})

/** A consent is shown this once: only a hash of what is in its address is stored. */
const toNewSource = (source: domain.Source) => ({
  ...toSource(source),
  authorization_url: source.authorizationUrl,
  expires_at: source.consentExpiresAt,
})

const client = {
  client_id: code().max(200).optional(),
  client_secret: code().max(4000).optional(),
}

const Options = z.record(text(), z.union([text(), z.number(), z.boolean(), z.null()]))

const connection = {
  type: z.enum(ADAPTER_TYPES),
  account: code().max(500),
  role: code()
    .max(200)
    .default('')
    .describe('The role that the consent is for, where the type of source has one.'),
  base_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(500)
    .optional(),
  ...client,
}

/** Null takes the configured one. */
const expression = z
  .string(CRON_RULE)
  .max(100)
  .superRefine((value, context) => {
    const fault = findCronFault(value)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .nullable()
  .optional()
  .describe(
    'Cron of five fields by the clocks of the time zone of the source, `off` for never, null for the configured one.',
  )

const NewSchedules = z.strictObject({ full: expression, incremental: expression })

const toColumns = ({ full, incremental }: z.infer<typeof NewSchedules> = {}) => ({
  ...(full !== undefined && { fullSchedule: full }),
  ...(incremental !== undefined && { incrementalSchedule: incremental }),
})

const precedence = z
  .int()
  .min(1)
  .max(9999)
  .optional()
  .describe('The least leads where several sources have the same SKU and location; 100 unless set.')

const connect = endpoint({
  method: 'post',
  path: '/sources',
  summary: 'Connects an ERP',
  scopes,
  body: z.strictObject({
    ...connection,
    options: Options.optional(),
    schedules: NewSchedules.optional(),
    precedence,
  }),
  names: true,
  example: { body: { type: 'csv', account: 'demo' } },
  answers: { 201: NewSource },
  errors: ['source_unavailable'],
  async handle({ body }) {
    const { schedules, base_url: baseUrl, client_id, client_secret, ...named } = body
    const given = toElements(client, { client_id, client_secret })
    const data = { ...named, ...given, baseUrl, ...toColumns(schedules) }
    const json = toNewSource(await domain.connectSource(data))
    return { status: 201, headers: { Location: `/v1/sources/${json.id}` }, body: json }
  },
})

const renewConsent = endpoint({
  method: 'post',
  path: '/sources/:id/consent',
  summary: 'Requests a new consent for a connected ERP, or tries another secret',
  scopes,
  body: z.strictObject(client),
  example: { body: {} },
  bodyOptional: true,
  answers: { 200: NewSource },
  of: ofSource,
  errors: ['source_unavailable'],
  async json({ params: { id }, body }) {
    const data = { ID: fromId('src', id), ...toElements(client, body) }
    return toNewSource(await domain.renewConsent(data))
  },
})

const listSources = listEndpoint({
  path: '/sources',
  summary: 'Lists connected ERPs',
  scopes,
  row: Source,
  toJson: toSource,
  fetch: domain.listSources,
})

const getSource = endpoint({
  method: 'get',
  path: '/sources/:id',
  summary: 'Shows a connected ERP',
  scopes,
  answers: { 200: Source },
  of: ofSource,
  json: async ({ params }) => toSource(await ofSource.find(params)),
})

const changeSource = endpoint({
  method: 'patch',
  path: '/sources/:id',
  summary: 'Changes schedules, precedence and options of a connected ERP',
  scopes,
  body: z
    .strictObject({
      schedules: NewSchedules.optional(),
      precedence,
      options: Options.optional().describe(
        'For a source without consent: those to change, null for those to remove.',
      ),
    })
    .refine((given) => given.schedules ?? given.precedence ?? given.options, {
      error: 'schedules, precedence or options must be given',
      path: ['schedules'],
    }),
  example: { body: { schedules: { full: '0 3 * * *', incremental: null }, precedence: 100 } },
  answers: { 200: Source },
  of: ofSource,
  async json({ params: { id }, body: { schedules, precedence, options } }) {
    const ID = fromId('src', id)
    if (options) await domain.changeOptions({ ID, options })
    if (precedence) await domain.changePrecedence({ ID, precedence })
    return toSource(await domain.changeSchedules({ ID, ...toColumns(schedules) }))
  },
})

const checkSource = endpoint({
  method: 'post',
  path: '/sources/:id/check',
  summary: 'Checks now which streams of a connected ERP can be read',
  scopes,
  bodyOptional: true,
  answers: { 200: Source },
  of: ofSource,
  errors: ['source_not_connected', 'source_unavailable'],
  json: async ({ params: { id } }) => toSource(await domain.checkSource(fromId('src', id))),
})

const removeSource = endpoint({
  method: 'delete',
  path: '/sources/:id',
  summary: 'Removes a connected ERP; its tokens are revoked and deleted',
  scopes,
  answers: { 204: null },
  of: ofSource,
  errors: ['sync_in_progress'],
  json: ({ params: { id } }) => domain.removeSource(fromId('src', id)),
})

export const sourceEndpoints = [
  connect,
  renewConsent,
  checkSource,
  listSources,
  getSource,
  changeSource,
  removeSource,
]

// Kinds of ERP, and what each is asked for when it is connected.

const Field = z.object({
  name: z
    .string()
    .describe('`account`, `role`, `base_url`, `client_id`, `client_secret`, or that of an option.'),
  is_option: z.boolean().describe('Whether it is given in `options`.'),
  is_required: z.boolean(),
  is_main: z.boolean().describe('Whether people are asked for it at once.'),
  kind: z.string().describe('`text`, `secret`, `number`, `choice` or `flag`; an open list.'),
  label: z.string(),
  hint: z.string().nullable(),
  values: z.array(z.object({ value: z.string(), name: z.string() })).describe('Of a choice.'),
  least: z.number().nullable(),
  most: z.number().nullable(),
  preset: z.string().nullable().describe('What counts where nothing is given.'),
})

const SourceType = z.object({ type: z.string(), name: z.string(), fields: z.array(Field) })

const toType = ({ type, name, fields }: domain.SourceType): z.infer<typeof SourceType> => ({
  type,
  name,
  fields: fields.map(({ isOption, isRequired, isMain, ...field }) => ({
    ...field,
    name: isOption ? field.name : toSnake(field.name),
    is_option: isOption,
    is_required: isRequired,
    is_main: isMain,
  })),
})

export const listTypes = endpoint({
  method: 'get',
  path: '/source-types',
  summary: 'Lists the kinds of ERP that can be connected, and what each is asked for',
  scopes: ['sources:manage'],
  query: z.strictObject({
    language: z.enum(LANGUAGES).default('en').describe('Of names, labels and hints.'),
  }),
  answers: { 200: z.object({ data: z.array(SourceType) }) },
  json: async ({ query: { language } }) => ({
    data: (await domain.listTypes(language)).map(toType),
  }),
})
