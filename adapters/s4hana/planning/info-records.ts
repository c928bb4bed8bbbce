import type { QuarantinedRow } from '../../errors.ts'
import { Fatal } from '../../errors.ts'
import type {
  InfoRecordPlantRow,
  InfoRecordRow,
  SupplierOrganisationRow,
  SupplierRow,
} from '../entities.ts'
import { startWithoutWaiting } from '../../rows/read-ahead.ts'
import { INFO_RECORD, SUPPLIER } from '../services.ts'
import type { System } from '../system.ts'
import { toQuarantinedRow } from '../../rows/quarantine.ts'
import { problemOf } from '../../rows/bad-value.ts'
import type { PurchasingTerms } from './purchasing-terms.ts'
import { toInfoRecord, toTerms } from './terms.ts'
import type { InfoRecord } from './terms.ts'

export const INFO_RECORDS = {
  service: INFO_RECORD,
  set: 'A_PurchasingInfoRecord',
  key: ['PurchasingInfoRecord'],
  select: [
    'PurchasingInfoRecord',
    'Supplier',
    'Material',
    'BaseUnit',
    'PurgDocOrderQuantityUnit',
    'OrderItemQtyToBaseQtyNmrtr',
    'OrderItemQtyToBaseQtyDnmntr',
  ],
  filter: 'IsRegularSupplier eq true and IsDeleted eq false',
}

const TERMS = {
  service: INFO_RECORD,
  set: 'A_PurgInfoRecdOrgPlantData',
  key: ['PurchasingInfoRecord', 'PurchasingInfoRecordCategory', 'PurchasingOrganization', 'Plant'],
  select: [
    'PurchasingInfoRecord',
    'PurchasingInfoRecordCategory',
    'PurchasingOrganization',
    'Plant',
    'Supplier',
    'MaterialPlannedDeliveryDurn',
    'MinimumPurchaseOrderQuantity',
    'NetPriceAmount',
    'MaterialPriceUnitQty',
    'PurchaseOrderPriceUnit',
    'Currency',
  ],
  // Category 0: standard purchases, no subcontracting, no consignment.
  filter: "PurchasingInfoRecordCategory eq '0' and IsMarkedForDeletion eq false",
}

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

type ByPlant = Map<string, PurchasingTerms>

/** The standard info records that are neither deleted nor blocked, held in memory. */
export class InfoRecords {
  /** Rows that could not be mapped. */
  readonly quarantined: QuarantinedRow[] = []
  /** By product; sorted by the record's number. */
  readonly #bySku = new Map<string, ByPlant[]>()

  /** @throws Fatal | Retriable */
  static async load(system: System, signal: AbortSignal): Promise<InfoRecords> {
    const infoRecords = new InfoRecords()
    const plantRows = startWithoutWaiting(system.all<InfoRecordPlantRow>(TERMS, signal))
    const blocked = await readBlockedSuppliers(system, signal)
    const records = await infoRecords.#records(system, blocked, signal)
    let current = ''
    let byPlant: ByPlant = new Map()
    for (const row of await plantRows) {
      const record = records.get(row.PurchasingInfoRecord)
      if (!record || blocked.has(`${row.Supplier}/${row.PurchasingOrganization}`)) continue
      if (row.PurchasingInfoRecord !== current) {
        current = row.PurchasingInfoRecord
        infoRecords.#add(record.sku, (byPlant = new Map() as ByPlant))
      }
      const place = `${TERMS.set}('${current}','${row.PurchasingOrganization}','${row.Plant}')`
      const ofPlant = infoRecords.#recordOrSkip(place, row, () => toTerms(record, row))
      if (ofPlant && !byPlant.has(row.Plant)) byPlant.set(row.Plant, ofPlant)
    }
    return infoRecords
  }

  /** Terms for the plant itself, else for all plants; null where there is no such info record. */
  of(sku: string, plant: string): PurchasingTerms | null {
    for (const byPlant of this.#bySku.get(sku) ?? []) {
      const [own, all] = [byPlant.get(plant), byPlant.get('')]
      if (!own) {
        if (all) return all
        continue
      }
      return own.deliveryDays || !all ? own : { ...own, deliveryDays: all.deliveryDays }
    }
    return null
  }

  async #records(system: System, blocked: Set<string>, signal: AbortSignal) {
    const records = new Map<string, InfoRecord>()
    for await (const { rows } of system.pages<InfoRecordRow>(INFO_RECORDS, {}, signal)) {
      for (const row of rows) {
        // Records without a product are for services and other purchases without stock.
        if (!row.Material || blocked.has(row.Supplier ?? '')) continue
        const place = `${INFO_RECORDS.set}('${row.PurchasingInfoRecord}')`
        const record = this.#recordOrSkip(place, row, () => toInfoRecord(row))
        if (record) records.set(row.PurchasingInfoRecord, record)
      }
    }
    return records
  }

  #add(sku: string, byPlant: ByPlant): void {
    const known = this.#bySku.get(sku)
    if (known) known.push(byPlant)
    else this.#bySku.set(sku, [byPlant])
  }

  #recordOrSkip<T>(place: string, row: unknown, map: () => T): T | null {
    try {
      return map()
    } catch (error) {
      this.quarantined.push(toQuarantinedRow(place, row, problemOf(error)))
      return null
    }
  }
}

/**
 * Blocked suppliers, and `supplier/organisation` where a supplier is blocked for one organisation.
 * Empty where suppliers may not be read; the suppliers stream reports that.
 */
async function readBlockedSuppliers(system: System, signal: AbortSignal): Promise<Set<string>> {
  const organisations = startWithoutWaiting(
    system.all<SupplierOrganisationRow>(BLOCKED_ORGANISATIONS, signal),
  )
  const blocked = new Set<string>()
  try {
    for (const row of await system.all<SupplierRow>(BLOCKED_SUPPLIERS, signal)) {
      blocked.add(row.Supplier)
    }
  } catch (error) {
    const isUnreadable =
      error instanceof Fatal && (error.code === 'forbidden' || error.code === 'not_found')
    if (!isUnreadable) throw error
    return blocked
  }
  for (const row of await organisations) {
    blocked.add(`${row.Supplier}/${row.PurchasingOrganization}`)
  }
  return blocked
}
