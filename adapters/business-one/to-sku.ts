import type { RecordOf } from '../records.ts'
import { toMoney } from '../rows/decimals.ts'
import { BadValue, codeOf, codeOrNull, nameOf, roundedOf } from '../rows/values.ts'
import type { ItemRow } from './entities.ts'
import type { BusinessOneOptions } from './options.ts'
import { isYes } from './values.ts'

/** Null for what is not kept in stock. */
export function toSku(row: ItemRow, options: BusinessOneOptions): RecordOf<'skus'> | null {
  if (!isYes(row.InventoryItem)) return null
  const { ItemsGroupCode: group } = row
  return {
    sku: codeOf(row.ItemCode, 'ItemCode'),
    name: nameOf(row.ItemName),
    unit: codeOrNull(row.InventoryUOM, 'InventoryUOM', 20),
    supplier: codeOrNull(row.Mainsupplier, 'Mainsupplier'),
    ...costOf(row, options),
    skuGroup: group === null || group === undefined ? null : String(group),
    purchasable: isBought(row),
  }
}

/** An item is bought unless it is frozen, not valid any more, or no purchase item. */
export const isBought = ({
  PurchaseItem,
  Valid,
  Frozen,
}: Pick<ItemRow, 'PurchaseItem' | 'Valid' | 'Frozen'>) =>
  isYes(PurchaseItem) && isYes(Valid) && !isYes(Frozen)

function costOf(
  row: ItemRow,
  { price_list: list, currency }: BusinessOneOptions,
): Pick<RecordOf<'skus'>, 'unitCost' | 'currency'> {
  const found = row.ItemPrices?.find(({ PriceList }) => PriceList === list)
  const [value, field] = list ? [found?.Price, 'Price'] : [row.AvgStdPrice, 'AvgStdPrice']
  const cost = roundedOf(value, field)
  if (cost < 0n) throw new BadValue(field, 'must not be negative')
  if (cost === 0n) return { unitCost: null, currency: null }
  const own = typeof found?.Currency === 'string' ? found.Currency : ''
  return { unitCost: toMoney(cost), currency: /^[A-Z]{3}$/.test(own) ? own : (currency ?? null) }
}
