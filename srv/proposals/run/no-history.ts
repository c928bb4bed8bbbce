// Pairs that the ERP plans and that have no demand to make a forecast of, and are not phased out.
import type { PairWithoutHistory } from '#cds-models/restock'
import type { Facts } from '../../facts.ts'
import { Planning, type Row } from '../../store/entities.ts'
import type { Setting } from '../inputs/setting.ts'
import { type SourceMessage, updateSourceExceptions } from './source-exceptions.ts'

/** Most of them in the list of a source: an ERP may hold master data of far more than is bought. */
const MOST = 1_000

type NewPair = Row<PairWithoutHistory>

/** Lists the SKUs without history, the first thousand, and what else they lack for an order. */
export async function updateNoHistory(source: number, setting: Setting) {
  const isPlanned = await SELECT.one.from(Planning).columns('sku').where({ source_ID: source })
  const view = isPlanned ? 'restock.PairsWithoutHistory' : 'restock.SkusWithoutHistory'
  const rows = (await SELECT.from(view)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${setting.asOf})`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]
  const found = rows.map((row) => messageOf(row, setting))
  await updateSourceExceptions(source, 'no_history', found)
}

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
