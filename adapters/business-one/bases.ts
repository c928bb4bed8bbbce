// The documents that lines of other documents were made of.
import type { DocumentLine, DocumentRow } from './entities.ts'
import { documents, type System } from './system.ts'

/** By their numbers in Business One. */
export const BASE_TYPES = {
  Invoices: 13,
  PurchaseInvoices: 18,
  PurchaseDeliveryNotes: 20,
  PurchaseOrders: 22,
}

/** Documents that are asked for at once. */
const MOST_BASES = 40

/** The documents of a kind that lines were made of, by their entry. */
export async function readBases(
  system: System,
  set: keyof typeof BASE_TYPES,
  lines: readonly DocumentLine[],
  signal: AbortSignal,
): Promise<Map<number, DocumentRow>> {
  const wanted = lines.flatMap(({ BaseType: type, BaseEntry: entry }) =>
    type === BASE_TYPES[set] && typeof entry === 'number' ? entry : [],
  )
  const entries = [...new Set(wanted)].sort((a, b) => a - b)
  const found = new Map<number, DocumentRow>()
  for (let at = 0; at < entries.length; at += MOST_BASES) {
    const some = entries.slice(at, at + MOST_BASES)
    const filter = some.map((entry) => `DocEntry eq ${entry}`).join(' or ')
    const fields = ['DocNum', 'DocDate', 'NumAtCard', 'ReserveInvoice', 'DocumentLines']
    const query = documents(set, fields, filter)
    for (const row of await system.all<DocumentRow>(query, signal)) found.set(row.DocEntry, row)
  }
  return found
}

export const lineOf = (
  { DocumentLines: lines }: DocumentRow,
  number: number,
): DocumentLine | undefined => lines.find(({ LineNum }) => LineNum === number)
