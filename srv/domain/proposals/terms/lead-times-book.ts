import type { MeasuredLeadTime } from '../../../../engine/proposal/index.ts'
import type { LeadTime } from '#cds-models/restock'
import { settings } from '../../../base/settings/config.ts'
import { LeadTimes, readAs, type Row } from '../../../base/database/entities.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { isOneOf } from '../to-proposal.ts'

interface Subject {
  sku: string
  supplier: string | null
}

type Stored = Row<LeadTime>

/** The measured lead times of a source. */
export class LeadTimeBook {
  readonly #rows: Map<string, Stored>
  readonly #least = settings().leadTimeReceipts

  constructor(rows: Stored[]) {
    this.#rows = new Map(rows.map((row) => [keyOf(String(row.supplier), String(row.sku)), row]))
  }

  /** @param pairs limits the result to these pairs; absent for all */
  static async read(source: number, pairs?: readonly Subject[]): Promise<LeadTimeBook> {
    const only = pairs && {
      sku: isOneOf(pairs, ({ sku }) => sku, ''),
      supplier: isOneOf(pairs, ({ supplier }) => supplier ?? '', ''),
    }
    const rows = await readAs<Stored>(SELECT.from(LeadTimes).where({ source_ID: source, ...only }))
    return new LeadTimeBook(rows)
  }

  /**
   * The measured lead time of a pair, from receipts of the SKU by its supplier; or else the planned days and the usual delay
   * of all that the supplier delivers. Null with fewer receipts than `leadTimeReceipts`.
   * @param planned days; null if none are planned
   */
  of({ sku, supplier }: Subject, planned: number | null): MeasuredLeadTime | null {
    if (!this.#rows.size) return null
    const own = this.#rows.get(keyOf(supplier ?? '', sku)) ?? this.#rows.get(keyOf('', sku))
    if (own && Number(own.counted) >= this.#least) {
      return toMeasured(own, 'sku', Number(own.days), Number(own.deviationDays))
    }
    const all = this.#rows.get(keyOf(supplier ?? '', ''))
    if (!all || planned === null || Number(all.promised) < this.#least) return null
    const days = Math.max(0, planned + Number(all.delayDays))
    return toMeasured(all, 'supplier', days, Number(all.delayDeviationDays))
  }
}

const keyOf = (supplier: string, sku: string) => `${supplier}\u0000${sku}`

const tenth = (value: number) => Math.round(value * 10) / 10

function toMeasured(
  row: Stored,
  of: MeasuredLeadTime['of'],
  days: number,
  deviation: number,
): MeasuredLeadTime {
  const [shareLate, lateDays] = [toNumber(row.shareLate), toNumber(row.lateDays)]
  return {
    of,
    days: Math.round(days),
    deviationDays: tenth(deviation),
    receipts: Number(row.receipts),
    shareLate: shareLate === null ? null : Math.round(shareLate * 100) / 100,
    lateDays: lateDays === null ? null : Math.round(lateDays),
  }
}
