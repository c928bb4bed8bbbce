import { Readable } from 'node:stream'
import { z } from 'zod'
import { ADAPTER_TYPES } from '../../../../adapters/index.ts'
import { DAY_FORMATS, FILE_FORMATS } from '../../../../adapters/order-form.ts'
import { code, invalidId } from '../../../base/input.ts'
import {
  fileOfHandOver,
  findHandOver,
  type HandOver as FoundHandOver,
  type HandedOverLine,
  handOver,
  listHandOverLines,
  listHandOvers,
  TAKEN_BEFORE,
} from '../../../domain/proposals/index.ts'
import { readSource } from '../../../domain/sources/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'

const field = fieldsOf<FoundHandOver>()

const [HandOver, toHandOver] = fieldMap<FoundHandOver>()('HandOver', {
  id: field('ID', z.string(), (ID) => toId('ho', ID)),
  source_id: field('source', z.string(), (ID) => toId('src', ID)),
  supplier: z.string().nullable().describe('null: lines of several suppliers, or of none.'),
  form: z.string().describe('The kind of ERP whose import takes the file.'),
  format: z.enum(FILE_FORMATS),
  date_format: field('dayFormat', z.string().nullable().describe('Of days in a csv file.')),
  file_name: z.string(),
  file_url: field('ID', z.string(), (ID) => `/v1/handovers/${toId('ho', ID)}/file`),
  line_count: field('lines', z.int()),
  repeated: z.int().describe('Lines that had been handed over before.'),
  sha256: z.string().nullable().describe('Of the file.'),
  taken_at: z.iso.datetime().nullable(),
  taken_by: z.string().nullable(),
  via: z.string().nullable(),
})

const lineField = fieldsOf<HandedOverLine>()

const [HandOverLine, toHandOverLine] = fieldMap<HandedOverLine>()('HandOverLine', {
  proposal_id: lineField('proposal', z.string(), (ID) => toId('prop', ID)),
  version: z.int().describe('Of the proposal as it was taken.'),
  sku: z.string(),
  location: z.string(),
  supplier: z.string().nullable(),
  quantity: z.int(),
  order_quantity: z.string().describe('In order units: an exact decimal.'),
  order_unit: z.string().nullable(),
  order_price: z.string().nullable().describe('Of one order unit.'),
  currency: z.string().nullable(),
  wanted_on: z.iso.date(),
  status: z.string().describe('Of the proposal, now.'),
  changed: lineField(
    'isChanged',
    z.boolean().describe('The proposal was cancelled since, or has another quantity or supplier.'),
  ),
})

const MOST_IDS = 10_000

const createHandOver = endpoint({
  method: 'post',
  path: '/handovers',
  summary: "Takes approved lines for the ERP's own import, and leaves a mark",
  scopes: ['proposals:decide'],
  body: z.strictObject({
    proposal_ids: z
      .array(z.string())
      .min(1)
      .max(MOST_IDS)
      .optional()
      .describe('These alone; otherwise all approved ones that the other fields select.'),
    source_id: z.string().optional(),
    supplier: code().optional(),
    location: code().optional(),
    per_supplier: z.boolean().optional().describe('A hand-over, and so a file, for each supplier.'),
    form: z
      .enum(ADAPTER_TYPES as [string, ...string[]])
      .optional()
      .describe("The kind of ERP; its source's unless said otherwise."),
    format: z.enum(FILE_FORMATS).optional().describe('The usual one of the form unless given.'),
    date_format: z
      .enum(DAY_FORMATS)
      .optional()
      .describe('Of days in a csv file: as the ERP expects them.'),
    taken_before: z
      .enum(TAKEN_BEFORE)
      .optional()
      .describe(
        'What becomes of lines that were handed over before: 409 (as a rule), left out, or taken again.',
      ),
  }),
  bodyOptional: true,
  example: { body: { supplier: 'S-7', format: 'xlsx' } },
  answers: {
    201: z.object({ data: z.array(HandOver) }),
    200: z.object({ data: z.array(HandOver) }),
  },
  errors: [
    'proposal_not_found',
    'source_not_found',
    'proposal_already_decided',
    'already_handed_over',
    'line_not_importable',
    'batch_too_large',
  ],
  async handle({ body }) {
    const source = body.source_id === undefined ? null : fromId('src', body.source_id)
    const data = await handOver({
      proposals: body.proposal_ids?.map((id) => proposalOf(id)) ?? null,
      source,
      supplier: body.supplier ?? null,
      location: body.location ?? null,
      perSupplier: body.per_supplier ?? false,
      form: body.form ?? null,
      format: body.format ?? null,
      dayFormat: body.date_format ?? null,
      takenBefore: body.taken_before ?? 'refuse',
    })
    if (source !== null && !data.length) await readSource(source)
    return { status: data.length ? 201 : 200, body: { data: data.map(toHandOver) } }
  },
})

/** Of a list: what cannot be an id is a fault of the field. */
function proposalOf(id: string): number {
  if (/^prop_[1-9]\d{0,9}$/.test(id)) return fromId('prop', id)
  throw invalidId('proposal_ids', id, 'prop_1042')
}

const listTaken = listEndpoint({
  path: '/handovers',
  summary: 'Lists what was handed over, the newest first',
  scopes: ['proposals:read'],
  filters: { source_id: z.string().optional(), supplier: code().optional() },
  errors: ['source_not_found'],
  row: HandOver,
  toJson: toHandOver,
  fetch: async (page, { source_id: id, supplier }) => {
    const source = id === undefined ? null : fromId('src', id)
    const found = await listHandOvers({ filter: { source, supplier }, ...page })
    // What was handed over outlives its source.
    if (source !== null && !found.data.length) await readSource(source)
    return found
  },
})

const ofHandOver = named('ho', findHandOver)

const getTaken = endpoint({
  method: 'get',
  path: '/handovers/:id',
  summary: 'Shows a hand-over: who took it, when, and the digest of its file',
  scopes: ['proposals:read'],
  answers: { 200: HandOver },
  of: ofHandOver,
  json: async ({ params }) => toHandOver(await ofHandOver.find(params)),
})

const listLines = listEndpoint({
  path: '/handovers/:id/lines',
  summary: 'Lists the lines of a hand-over, and which of them have changed since',
  scopes: ['proposals:read'],
  row: HandOverLine,
  toJson: toHandOverLine,
  of: ofHandOver,
  fetch: (page, _filters, { id }) => listHandOverLines({ ID: fromId('ho', id), ...page }),
})

const getFile = endpoint({
  method: 'get',
  path: '/handovers/:id/file',
  summary: 'Gives the file of a hand-over as it was taken',
  scopes: ['proposals:read'],
  answers: { 200: null },
  of: ofHandOver,
  async handle({ params: { id } }) {
    const { bytes, name, type } = await fileOfHandOver(fromId('ho', id))
    const headers = {
      'Content-Type': type,
      'Content-Length': String(bytes.length),
      'Content-Disposition': `attachment; filename="${name}"`,
    }
    return { status: 200, stream: Readable.from([bytes]), headers }
  },
})

export const handOverEndpoints = [createHandOver, listTaken, getFile, listLines, getTaken]
