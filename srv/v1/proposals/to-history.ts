import { z } from 'zod'
import type { HistoryEntry as Stored } from '#cds-models/ProposalsService'
import type { Answered } from '../../store/answered.ts'

export const HistoryEntry = z
  .object({
    at: z.iso.datetime(),
    by: z.string(),
    on_behalf_of: z.string().nullable().describe('The absent person whose right the deputy used.'),
    via: z.string().describe('api, ui, task_center, my_inbox or system.'),
    event: z.string(),
    quantity: z.int().nullable(),
    comment: z.string().nullable(),
    version: z.int(),
  })
  .meta({ id: 'HistoryEntry' })

export type ServiceHistoryEntry = Answered<Stored>

export const toHistoryEntry = (row: ServiceHistoryEntry): z.infer<typeof HistoryEntry> => ({
  at: row.at,
  by: row.actor,
  on_behalf_of: row.onBehalfOf,
  via: row.via,
  event: row.event,
  quantity: row.quantity,
  comment: row.comment,
  version: row.version,
})
