// API_INFORECORD_PROCESS_SRV
import { objectSet } from '../odata/object-set.ts'
import { decimal } from '../world/decimal.ts'
import {
  INFO_ROWS,
  INFO_SLOTS,
  infoNumber,
  infoOf,
  orgPlantOf,
  skuOfInfo,
} from '../world/info-records.ts'
import { revisionsOf } from '../world/revisions.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function infoRecords(world: World): EntitySet[] {
  const { pairs, patches } = world
  const record = objectSet(
    {
      name: 'A_PurchasingInfoRecord',
      keys: 'PurchasingInfoRecord',
      fields:
        'PurchasingInfoRecord Supplier Material MaterialGroup PurgDocOrderQuantityUnit ' +
        'SupplierMaterialNumber BaseUnit PurchasingInfoRecordDesc' +
        '|Boolean: IsDeleted IsRegularSupplier' +
        '|Decimal: OrderItemQtyToBaseQtyNmrtr OrderItemQtyToBaseQtyDnmntr' +
        '|DateTime: CreationDate AvailabilityStartDate AvailabilityEndDate' +
        '|DateTimeOffset: LastChangeDateTime',
      size: () => pairs.skus * INFO_SLOTS,
      hasRow: (slot) =>
        infoOf(world, slot) !== null && !revisionsOf(world, skuOfInfo(slot)).isRemoved,
      build(slot) {
        const sku = skuOfInfo(slot)
        const info = infoOf(world, slot)
        const unit = pairs.unit(sku)
        return {
          PurchasingInfoRecord: infoNumber(slot),
          Supplier: info?.supplier ?? '',
          Material: pairs.codes[sku]!,
          BaseUnit: unit.base,
          PurgDocOrderQuantityUnit: unit.order || unit.base,
          OrderItemQtyToBaseQtyNmrtr: String(unit.factor),
          OrderItemQtyToBaseQtyDnmntr: '1',
          SupplierMaterialNumber: `V-${sku + 1}`,
          IsDeleted: info?.isDeleted ?? false,
          IsRegularSupplier: info?.isRegular ?? false,
          CreationDate: Date.UTC(2021, 2, 2),
          LastChangeDateTime: revisionsOf(world, sku).changed,
        }
      },
    },
    patches,
  )
  const orgPlant = objectSet(
    {
      name: 'A_PurgInfoRecdOrgPlantData',
      keys: 'PurchasingInfoRecord PurchasingInfoRecordCategory PurchasingOrganization Plant',
      fields:
        'PurchasingInfoRecord PurchasingInfoRecordCategory PurchasingOrganization Plant ' +
        'PurchasingGroup Currency Material Supplier MaterialGroup PurgDocOrderQuantityUnit ' +
        'NetPriceQuantityUnit PurchaseOrderPriceUnit MaterialRoundingProfile' +
        '|Boolean: IsMarkedForDeletion|DateTime: CreationDate PriceValidityEndDate' +
        '|Decimal: MinimumPurchaseOrderQuantity StandardPurchaseOrderQuantity ' +
        'MaximumOrderQuantity MaterialPlannedDeliveryDurn NetPriceAmount PurgInfoRecdEffctvPrc ' +
        'MaterialPriceUnitQty OrderPriceUnitToOrderUnitNmrtr OrdPriceUnitToOrderUnitDnmntr',
      notFilterable: ['NetPriceQuantityUnit'],
      size: () => pairs.skus * INFO_SLOTS * INFO_ROWS,
      hasRow: (slot) =>
        orgPlantOf(world, slot).isMaintained &&
        !revisionsOf(world, skuOfInfo(Math.floor(slot / INFO_ROWS))).isRemoved,
      build(slot) {
        const at = Math.floor(slot / INFO_ROWS)
        const sku = skuOfInfo(at)
        const unit = pairs.unit(sku)
        const data = orgPlantOf(world, slot)
        const orderUnit = unit.order || unit.base
        return {
          PurchasingInfoRecord: infoNumber(at),
          PurchasingInfoRecordCategory: '0',
          PurchasingOrganization: '1000',
          Plant: data.plant,
          PurchasingGroup: '001',
          Currency: 'EUR',
          Material: pairs.codes[sku]!,
          Supplier: infoOf(world, at)?.supplier ?? '',
          PurgDocOrderQuantityUnit: orderUnit,
          PurchaseOrderPriceUnit: data.isPriceInBase ? unit.base : orderUnit,
          // Order units per price unit.
          OrderPriceUnitToOrderUnitNmrtr: '1',
          OrdPriceUnitToOrderUnitDnmntr: String(data.isPriceInBase ? unit.factor : 1),
          IsMarkedForDeletion: data.isFlagged,
          CreationDate: Date.UTC(2021, 2, 2),
          PriceValidityEndDate: data.validTo,
          MinimumPurchaseOrderQuantity: decimal(data.minimum),
          StandardPurchaseOrderQuantity: decimal(data.standard),
          MaximumOrderQuantity: '0.000',
          MaterialPlannedDeliveryDurn: String(data.deliveryDays),
          NetPriceAmount: decimal(data.price),
          PurgInfoRecdEffctvPrc: decimal(data.price),
          MaterialPriceUnitQty: String(data.per),
        }
      },
    },
    patches,
  )
  return [record, orgPlant]
}
