import { isUnreadable } from '../../errors.ts'
import { startWithoutWaiting } from '../../rows/pages.ts'
import type { SupplierOrganisationRow, SupplierRow } from '../entities.ts'
import { SUPPLIER } from '../services.ts'
import type { System } from '../system.ts'

const BLOCKED_SUPPLIERS = {
  service: SUPPLIER,
  set: 'A_Supplier',
  key: ['Supplier'],
  select: ['Supplier'],
  filter: 'PurchasingIsBlocked eq true or DeletionIndicator eq true',
}

const BLOCKED_ORGANISATIONS = {
  service: SUPPLIER,
  set: 'A_SupplierPurchasingOrg',
  key: ['Supplier', 'PurchasingOrganization'],
  select: ['Supplier', 'PurchasingOrganization'],
  filter: 'PurchasingIsBlockedForSupplier eq true',
}

/**
 * Blocked suppliers, and `supplier/organisation` where a supplier is blocked for one organisation.
 * Empty where suppliers may not be read; the suppliers stream reports that.
 */
export async function readBlockedSuppliers(
  system: System,
  signal: AbortSignal,
): Promise<Set<string>> {
  const organisations = startWithoutWaiting(
    system.all<SupplierOrganisationRow>(BLOCKED_ORGANISATIONS, signal),
  )
  const blocked = new Set<string>()
  try {
    for (const row of await system.all<SupplierRow>(BLOCKED_SUPPLIERS, signal)) {
      blocked.add(row.Supplier)
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return blocked
  }
  for (const row of await organisations) {
    blocked.add(`${row.Supplier}/${row.PurchasingOrganization}`)
  }
  return blocked
}
