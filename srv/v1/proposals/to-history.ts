import { z } from 'zod'
import type { HistoryEntry as Stored } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../store/service-row.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'

export type ServiceHistoryEntry = ServiceRow<Stored>

const field = fieldsOf<ServiceHistoryEntry>()

export const [HistoryEntry, toHistoryEntry] = fieldMap<ServiceHistoryEntry>()('HistoryEntry', {
  at: z.iso.datetime(),
  by: field('actor', z.string()),
  on_behalf_of: z.string().nullable().describe('The absent person whose right the deputy used.'),
  via: z.string().describe('api, ui, task_center, my_inbox or system.'),
  event: z.string(),
  quantity: z.int().nullable(),
  comment: z.string().nullable(),
  version: z.int(),
})
