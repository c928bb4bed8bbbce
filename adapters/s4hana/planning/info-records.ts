import { names } from '../../rows/names.ts'
import type { QuarantinedRow } from '../../errors.ts'
import type { InfoRecordPlantRow, InfoRecordRow } from '../entities.ts'
import { startWithoutWaiting, toQuarantinedRow } from '../../rows/pages.ts'
import { readScope, type Scope } from '../scope.ts'
import { INFO_RECORD } from '../services.ts'
import type { System } from '../system.ts'
import { problemOf } from '../../rows/values.ts'
import { type InfoRecord, type PurchasingTerms, toInfoRecord, toTerms } from './terms.ts'

export const INFO_RECORDS = {
  service: INFO_RECORD,
  set: 'A_PurchasingInfoRecord',
  key: ['PurchasingInfoRecord'],
  select: names(
    `PurchasingInfoRecord Supplier Material SupplierMaterialNumber BaseUnit PurgDocOrderQuantityUnit
     OrderItemQtyToBaseQtyNmrtr OrderItemQtyToBaseQtyDnmntr`,
  ),
  filter: 'IsRegularSupplier eq true and IsDeleted eq false',
}

/** Whose info records have changed, and when: one that is no longer regular, too. */
export const CHANGED_INFO_RECORDS = {
  service: INFO_RECORD,
  set: 'A_PurchasingInfoRecord',
  key: ['PurchasingInfoRecord'],
  select: ['PurchasingInfoRecord', 'Material', 'LastChangeDateTime'],
}

const TERMS = {
  service: INFO_RECORD,
  set: 'A_PurgInfoRecdOrgPlantData',
  key: ['PurchasingInfoRecord', 'PurchasingInfoRecordCategory', 'PurchasingOrganization', 'Plant'],
  select: names(
    `PurchasingInfoRecord PurchasingInfoRecordCategory PurchasingOrganization Plant Supplier
     Material MaterialPlannedDeliveryDurn MinimumPurchaseOrderQuantity NetPriceAmount
     MaterialPriceUnitQty PurchaseOrderPriceUnit Currency`,
  ),
  // Category 0: standard purchases, no subcontracting, no consignment.
  filter: "PurchasingInfoRecordCategory eq '0' and IsMarkedForDeletion eq false",
}

type ByPlant = Map<string, PurchasingTerms>

/** A row that could not be mapped, and its product. */
export interface BadRow {
  sku: string
  row: QuarantinedRow
}

/** The standard info records that are neither deleted nor blocked, held in memory. */
export class InfoRecords {
  readonly bad: BadRow[] = []
  /** By product; sorted by the record's number. */
  readonly #bySku = new Map<string, ByPlant[]>()

  /**
   * @param blocked of {@link readBlockedSuppliers}
   * @throws Fatal | Retriable
   */
  static async load(
    system: System,
    scope: Scope,
    blocked: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<InfoRecords> {
    const infoRecords = new InfoRecords()
    const plantRows = startWithoutWaiting(
      readScope<InfoRecordPlantRow>(system, TERMS, 'Material', scope, signal),
    )
    const rows = await readScope<InfoRecordRow>(system, INFO_RECORDS, 'Material', scope, signal)
    const records = infoRecords.#records(rows, blocked)
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
      const ofPlant = infoRecords.#recordOrSkip(record.sku, place, row, () => toTerms(record, row))
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

  #records(rows: InfoRecordRow[], blocked: ReadonlySet<string>) {
    const records = new Map<string, InfoRecord>()
    for (const row of rows) {
      // Records without a product are for services and other purchases without stock.
      if (!row.Material || blocked.has(row.Supplier ?? '')) continue
      const place = `${INFO_RECORDS.set}('${row.PurchasingInfoRecord}')`
      const record = this.#recordOrSkip(row.Material, place, row, () => toInfoRecord(row))
      if (record) records.set(row.PurchasingInfoRecord, record)
    }
    return records
  }

  #add(sku: string, byPlant: ByPlant): void {
    const known = this.#bySku.get(sku)
    if (known) known.push(byPlant)
    else this.#bySku.set(sku, [byPlant])
  }

  #recordOrSkip<T>(sku: string, place: string, row: unknown, map: () => T): T | null {
    try {
      return map()
    } catch (error) {
      this.bad.push({ sku, row: toQuarantinedRow(place, row, problemOf(error)) })
      return null
    }
  }
}
