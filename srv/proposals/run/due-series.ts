import { settings } from '../../config.ts'
import { PairPlanning, Proposals } from '../../store/entities.ts'
import { inChunks } from '../../store/in-chunks.ts'
import { isProposedToday, markedSeries } from '../../store/proposal-marks.ts'
import type { Setting } from '../inputs/setting.ts'
import type { SupplierTermsBook } from '../inputs/supplier-terms.ts'
import { openStatuses } from '../../store/proposal-flow.ts'

/**
 * The pairs of a source that an incremental sync must calculate: those whose inputs have changed, and
 * all lines of the orders that they are part of. Null for all pairs: on a new day, once the data have
 * become too old to order by or new again, and where transfers between locations tie them together.
 */
export async function dueSeries(
  source: number,
  { supplierTerms, staleData, days }: Setting,
): Promise<number[] | null> {
  const isDone = await isProposedToday(source, days, staleData?.since ?? null)
  if (settings().redistribution || !isDone) return null
  return markedWithOrders(source, supplierTerms)
}

/** The marked pairs of a source, with all lines of the orders that they are part of, in order. */
export async function markedWithOrders(
  source: number,
  terms: SupplierTermsBook,
): Promise<number[]> {
  const due = await markedSeries(source)
  if (!terms.fillsOrders) return due
  const filled = [...(await suppliersOf(due))].filter((supplier) => terms.fillsOrder(supplier))
  if (!filled.length) return due
  const lines = (await SELECT.from('restock.PairPlanning')
    .columns('ID')
    .where({ source_ID: source, supplier: { in: filled } })) as { ID: number }[]
  return [...new Set([...due, ...lines.map(({ ID }) => ID)])].sort((a, b) => a - b)
}

/** Suppliers of some pairs, and those that their open proposals are still of. */
async function suppliersOf(series: number[]): Promise<Set<string>> {
  const suppliers = new Set<string>()
  for (const some of inChunks(series)) {
    const chunk = { in: some }
    const rows: { supplier: string | null }[] = [
      ...(await SELECT.distinct.from(PairPlanning).columns('supplier').where({ ID: chunk })),
      ...(await SELECT.distinct
        .from(Proposals)
        .columns('supplier')
        .where({ series: chunk, status: { in: openStatuses() } })),
    ]
    for (const { supplier } of rows) if (supplier) suppliers.add(supplier)
  }
  return suppliers
}
