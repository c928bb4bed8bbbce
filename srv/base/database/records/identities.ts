import { MAX_CODE_LENGTH, type RecordOf } from '../../../../adapters/records.ts'
import { readAs, Skus } from '../entities.ts'
import type { Renaming } from './rename-sku.ts'

/** What the ERP knows the stored SKUs of a source by, whatever their codes are. */
export class Identities {
  readonly #skus = new Map<string, string>()
  readonly #identities = new Map<string, string>()

  static async load(source: number): Promise<Identities> {
    const rows = await readAs<{ sku: string; identity: string }>(
      SELECT.from(Skus)
        .columns('sku', 'identity')
        .where({ source_ID: source, identity: { '!=': null } }),
    )
    return new Identities(rows)
  }

  constructor(rows: Iterable<{ sku: string; identity: string }>) {
    for (const { sku, identity } of rows) this.#set(sku, identity)
  }

  #set(sku: string, identity: string) {
    this.#skus.set(identity, sku)
    this.#identities.set(sku, identity)
  }

  /**
   * The SKUs that are called otherwise by these records, in an order in which each new code is free. What has a code that
   * another SKU has now, and is not among the records, is called by its code and its identity.
   */
  renamings(records: readonly Pick<RecordOf<'skus'>, 'sku' | 'identity'>[]): Renaming[] {
    const found: Renaming[] = []
    const rename = (identity: string, to: string) => {
      const from = this.#skus.get(identity)!
      this.#identities.delete(from)
      this.#set(to, identity)
      found.push({ from, to })
    }
    for (const { sku, identity } of records) {
      if (!identity) continue
      const other = this.#identities.get(sku)
      if (other !== undefined && other !== identity) rename(other, numbered(sku, other))
      const before = this.#skus.get(identity)
      if (before === undefined) this.#set(sku, identity)
      else if (before !== sku) rename(identity, sku)
    }
    return found
  }
}

function numbered(code: string, identity: string): string {
  const end = ` (#${identity})`
  return code.slice(0, MAX_CODE_LENGTH - end.length) + end
}
