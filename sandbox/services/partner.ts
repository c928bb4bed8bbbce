// API_BUSINESS_PARTNER
import { objectSet } from '../odata/object-set.ts'
import { mix } from '../world/hash.ts'
import { codeOf, supplierCount } from '../world/suppliers.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function partners(world: World): EntitySet[] {
  const { pairs, patches, seed } = world
  const size = () => supplierCount(pairs.skus)
  const supplier = objectSet(
    {
      name: 'A_Supplier',
      keys: 'Supplier',
      fields:
        'Supplier SupplierName SupplierFullName SupplierAccountGroup' +
        '|Boolean: PurchasingIsBlocked DeletionIndicator PostingIsBlocked|DateTime: CreationDate',
      size,
      build: (index) => ({
        Supplier: codeOf(index),
        SupplierName: `Supplier ${index + 1} & Sons`,
        SupplierFullName: `Supplier ${index + 1} & Sons Ltd.`,
        SupplierAccountGroup: 'SUPL',
        PurchasingIsBlocked: mix(seed, index, 121) % 50 === 3,
        DeletionIndicator: mix(seed, index, 121) % 60 === 4,
        CreationDate: Date.UTC(2020, 0, 7),
      }),
    },
    patches,
  )
  const organisation = objectSet(
    {
      name: 'A_SupplierPurchasingOrg',
      keys: 'Supplier PurchasingOrganization',
      fields:
        'Supplier PurchasingOrganization PurchaseOrderCurrency' +
        '|Decimal: MaterialPlannedDeliveryDurn MinimumOrderAmount' +
        '|Boolean: PurchasingIsBlockedForSupplier DeletionIndicator',
      size,
      build: (index) => ({
        Supplier: codeOf(index),
        PurchasingOrganization: '1000',
        PurchaseOrderCurrency: 'EUR',
        MaterialPlannedDeliveryDurn: String(mix(seed, index, 122) % 3 === 0 ? 9 : 0),
        MinimumOrderAmount: '0.000',
        PurchasingIsBlockedForSupplier: mix(seed, index, 122) % 70 === 5,
        DeletionIndicator: false,
      }),
    },
    patches,
  )
  return [supplier, organisation]
}
