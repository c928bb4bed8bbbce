import { z } from 'zod'

export const HistoryEntry = z
  .object({
    at: z.iso.datetime(),
    by: z.string(),
    on_behalf_of: z.string().nullable().describe('Whose right was used, by delegation.'),
    via: z.string().describe('api, ui, task_center, my_inbox or system.'),
    event: z.string(),
    quantity: z.int().nullable(),
    comment: z.string().nullable(),
    version: z.int(),
  })
  .meta({ id: 'HistoryEntry' })

/** A row of restock.ProposalEvents. */
export interface ServiceHistoryEntry {
  at: string
  actor: string
  onBehalfOf: string | null
  via: string
  event: string
  quantity: number | string | null
  comment: string | null
  version: number
}

export const toHistoryEntry = (row: ServiceHistoryEntry): z.infer<typeof HistoryEntry> => ({
  at: row.at,
  by: row.actor,
  on_behalf_of: row.onBehalfOf ?? null,
  via: row.via,
  event: row.event,
  quantity: row.quantity == null ? null : Number(row.quantity),
  comment: row.comment ?? null,
  version: row.version,
})
