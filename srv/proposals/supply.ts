import cds from '@sap/cds'

const { SELECT } = cds.ql

/** Units approved and not yet seen as an order of the ERP, by series. */
export async function approvedSupply(series: number[]): Promise<Map<number, number>> {
  const rows: { series: number; units: unknown }[] = await SELECT.from('restock.Proposals')
    .columns('series', 'sum(quantity) as units')
    .where({ series: { in: series }, status: 'approved' })
    .groupBy('series')
  return new Map(rows.map(({ series, units }) => [series, Number(units)]))
}
