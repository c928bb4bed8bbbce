// Pairs that the ERP plans and that have no demand to make a forecast of, and are not phased out.
import type { PairWithoutHistory } from '#cds-models/restock'
import { addDays } from '../../../engine/proposal/index.ts'
import type { Facts } from '../../facts.ts'
import { Planning, type Row, Syncs } from '../../store/entities.ts'
import type { Setting } from '../inputs/setting.ts'
import { type SourceMessage, updateSourceExceptions } from './source-exceptions.ts'

/** Most of them in the list of a source: an ERP may hold master data of far more than is bought. */
const MOST = 1_000

type NewPair = Row<PairWithoutHistory>

/** Days for which a SKU that came into the catalogue is listed though nothing is planned for it. */
const NEW_DAYS = 90

/**
 * Lists the SKUs without history, and what else they lack for an order: those that came since the first sync, then the
 * others, a thousand in all.
 */
export async function updateNoHistory(source: number, setting: Setting) {
  const isPlanned = await SELECT.one.from(Planning).columns('sku').where({ source_ID: source })
  const view = isPlanned ? PAIRS : SKUS
  const first = await firstSyncEnd(source)
  const added = first ? await readNew(view, source, setting, first) : []
  const recent = `${addDays(setting.days.usual, -NEW_DAYS)}T00:00:00Z`
  const since = first && first > recent ? first : recent
  const unplanned = isPlanned && first ? await readUnplanned(source, setting, since) : []
  const rows = [...added, ...unplanned].slice(0, MOST)
  if (rows.length < MOST) {
    const others = await readOthers(view, source, setting, first)
    rows.push(...others.slice(0, MOST - rows.length))
  }
  const found = rows.map((row) => messageOf(row, setting))
  await updateSourceExceptions(source, 'no_history', found)
}

const PAIRS = 'restock.PairsWithoutHistory'
const SKUS = 'restock.SkusWithoutHistory'

/** What was read until then was there from the beginning; null before the end of the first sync. */
async function firstSyncEnd(source: number): Promise<string | null> {
  const row = await SELECT.one
    .from(Syncs)
    .columns('finishedAt')
    .where({ source_ID: source, status: { in: ['succeeded', 'partial'] } })
    .orderBy('finishedAt')
  return row?.finishedAt ? new Date(row.finishedAt).toISOString() : null
}

const readNew = async (view: string, source: number, { days }: Setting, since: string) =>
  (await SELECT.from(view)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and addedAt > ${since}`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

/** SKUs of which no location is planned. */
const readUnplanned = async (source: number, { days }: Setting, since: string) =>
  (await SELECT.from(`${SKUS} as s`)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and addedAt > ${since} and not exists (select 1 as one from restock.Planning as p where p.source.ID = s.source_ID and p.sku = s.sku)`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

const readOthers = async (view: string, source: number, { days }: Setting, until: string | null) =>
  (await SELECT.from(view)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and (addedAt is null or addedAt <= ${until ?? LATEST})`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

const LATEST = '9999-12-31T00:00:00Z'

function messageOf(row: NewPair, setting: Setting): SourceMessage {
  const { sku, location, supplier, onHand } = row
  const pair = { sku: sku, location: location, supplier, skuGroup: row.skuGroup }
  const leadTime = setting.policies.of(pair).decide('leadTimeDays', row.leadTimeDays).value
  const missing = [
    ...(onHand === null ? ['missing_stock'] : []),
    ...(leadTime === null ? ['missing_lead_time'] : []),
    ...(setting.supplierRequired && !supplier ? ['missing_supplier'] : []),
  ].map((text): Facts => ({ text }))
  const [first, ...rest] = missing
  const also = rest.reduce<Facts | undefined>(
    (so, last) => so && { text: 'why_and', first: so, last },
    first,
  )
  return {
    ...{ kind: 'no_history', sku: pair.sku, location: pair.location, supplier },
    facts: also
      ? { text: 'exception_no_history_nor', missing: also }
      : { text: 'exception_no_history' },
  }
}
