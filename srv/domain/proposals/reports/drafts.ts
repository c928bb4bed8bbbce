// What lies in the ERPs before an order, as a list.
import cds from '@sap/cds'
import { CurrentDrafts, readAs } from '../../../base/database/entities.ts'
import { toPage } from '../../../base/database/rows.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { restrictionOf } from '../../authority/index.ts'
import { ROLES } from '../../../base/roles.ts'
import { assertRole } from '../readers.ts'
import { type Draft, readDrafts } from '../terms/drafts.ts'

export type { Draft }

export interface DraftQuery {
  sku?: string
  location?: string
  supplier?: string
  kind?: string
  after?: string | null
  limit: number
}

const positionOf = ({ source_ID: source, document, line }: Draft) =>
  JSON.stringify([source, document, line])

/** Drafts and contracts of which something is left and that the user may see, by source and number. @throws Refusal insufficient_scope */
export async function listDrafts({ after, limit, ...wanted }: DraftQuery) {
  assertRole(ROLES)
  const rows = await readAs<{ source_ID: number; sku: string; location: string }>(
    SELECT.distinct.from(CurrentDrafts).columns('source_ID', 'sku', 'location').where(wanted),
  )
  const seen = restrictionOf(cds.context!.user)
  const drafts: Draft[] = []
  for (const [source, pairs] of Map.groupBy(rows, (row) => Number(row.source_ID))) {
    const days = await readLocalDays(source)
    drafts.push(...(await readDrafts(source, days, pairs)))
  }
  const visible = drafts
    .filter((draft) =>
      Object.entries(wanted).every(([name, value]) => draft[name as 'sku'] === value),
    )
    .filter(({ location }) => !location || !seen?.locations || seen.locations.includes(location))
    .sort((a, b) => a.source_ID - b.source_ID)
  const start = after ? visible.findIndex((draft) => positionOf(draft) === after) + 1 : 0
  return toPage(visible.slice(start, start + limit + 1), limit, positionOf)
}
