import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toSku = (row: Row): RecordOf<'skus'> => ({
  sku: row.code('sku'),
  name: row.nameOrNull('name'),
  unit: row.unitOrNull('unit'),
  supplier: row.codeOrNull('supplier'),
  unitCost: row.moneyOrNull('unit_cost'),
  currency: row.currencyOrNull('currency'),
  skuGroup: row.codeOrNull('sku_group'),
  purchasable: row.flagOrNull('purchasable') ?? true,
  phaseOutOn: row.dayOrNull('phase_out_on'),
  successor: row.codeOrNull('successor'),
})
