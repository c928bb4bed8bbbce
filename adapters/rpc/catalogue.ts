// What products are called: the ERP tells them apart by number, and lets several have one code.
import { type ModelQuery, type ModelReader, type ModelRow, readRowsOf } from './reader.ts'
import { BadValue, type Field } from '../rows/values.ts'

/** What decides about the name of a product. */
export interface NamedProduct {
  id: number
  code: string | null
  /** Whether it is still bought or sold. */
  isActive: boolean
}

/** The SKU of each product. */
export class Catalogue {
  /** Null for an active product whose code another active one has. */
  readonly #skus = new Map<number, string | null>()
  /** The numbers of the products with a code, where there are several. */
  readonly #namesakes = new Map<string, number[]>()

  /**
   * A code is the SKU of the one active product that has it, else of the one that was given up last. Others that were given
   * up have it with their number, and so has what has no code: `A-1 (#17)`, `#17`.
   */
  constructor(products: Iterable<NamedProduct>) {
    const byCode = Map.groupBy(products, ({ code }) => code || null)
    for (const { id } of byCode.get(null) ?? []) this.#skus.set(id, numbered('', id))
    for (const [code, those] of byCode) {
      if (code === null) continue
      if (those.length > 1) this.#namesakes.set(code, those.map(({ id }) => id).sort(byNumber))
      const active = those.filter(({ isActive }) => isActive).map(({ id }) => id)
      const owner = active.length ? Math.min(...active) : Math.max(...those.map(({ id }) => id))
      for (const { id, isActive } of those) {
        if (id === owner) this.#skus.set(id, code)
        else this.#skus.set(id, isActive ? null : numbered(code, id))
      }
    }
  }

  /** In the order of their numbers. */
  get products(): number[] {
    return [...this.#skus.keys()].sort(byNumber)
  }

  /** Null for what is no product that is read. */
  skuOf(product: number | null | undefined): string | null {
    return this.#skus.get(product ?? 0) ?? null
  }

  /**
   * @param field the code, by its name in the ERP
   * @throws BadValue where another active product has the code too
   */
  assertOwn(product: number, code: string, field: string): void {
    if (this.#skus.get(product) !== null) return
    const owner = this.namesakes(code).find((id) => this.#skus.get(id) === code)
    const rule = `is that of product ${owner} too: of this one nothing is read until it has a code of its own`
    throw new BadValue(field, rule, 'duplicate_key')
  }

  /** All products with this code, where there are several. */
  namesakes(code: Field): readonly number[] {
    return this.#namesakes.get(String(code)) ?? []
  }
}

/** How products are read, and what they are called. */
interface Products<Row> {
  reader: ModelReader
  query: ModelQuery
  catalogue: Catalogue
  codeOf(row: Row): string | null
}

/** What one product is called may change with another that has its code: the others with the codes of these rows. */
export async function readNamesakes<Row extends ModelRow>(
  { reader, query, catalogue, codeOf }: Products<Row>,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<Row[]> {
  const read = new Set(rows.map(({ id }) => id))
  const others = rows.flatMap((row) => catalogue.namesakes(codeOf(row)))
  const unread = others.filter((id) => !read.has(id))
  return unread.length ? readRowsOf<Row>(reader, query, 'id', unread, signal) : []
}

const byNumber = (a: number, b: number) => a - b

const numbered = (code: string, id: number) => (code ? `${code} (#${id})` : `#${id}`)

/** Of several with one name the first keeps it; the others have it with their number. */
export function tellApart<Row extends { id: number }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Map<number, string> {
  const names = new Map<number, string>()
  const taken = new Set<string>()
  for (const row of [...rows].sort((a, b) => a.id - b.id)) {
    const name = taken.has(nameOf(row)) ? numbered(nameOf(row), row.id) : nameOf(row)
    taken.add(name)
    names.set(row.id, name)
  }
  return names
}
