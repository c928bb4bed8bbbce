// SAP's movement types that are demand: stock is consumed, sold or sent to another plant. Scrap (551),
// physical inventory (701) and receipts (1xx, 5xx) are not demand.

/**
 * Sales and their cancellations, customers' returns, retail sales, consumption, stock transport orders without a delivery (351)
 * and with one, what is sent to subcontractors (541) and into consignment at customers (631). What is used there (543, 633)
 * has left the plant's stock before.
 */
export const DEFAULT_MOVEMENTS = [
  '+601,-602',
  '-651,+652,-653,+654,-655,+656,-657,+658',
  '+251,-252',
  '+201,-202,+221,-222,+231,-232,+261,-262,+291,-292',
  '+351,-352',
  '+541,-542,+631,-632',
  '+641,-642,+643,-644,+645,-646,+647,-648',
].join(',')

/** The sign of each movement type that is demand. */
export type Movements = ReadonlyMap<string, 1 | -1>

/** Parses a list like `+601,-602`. @returns null where the text is invalid */
export function parseMovements(text: string): Movements | null {
  const movements = new Map<string, 1 | -1>()
  for (const part of text.split(',')) {
    const [, sign, type] = /^\s*([+-])(\w{3})\s*$/.exec(part) ?? []
    if (!type || movements.has(type)) return null
    movements.set(type, sign === '+' ? 1 : -1)
  }
  return movements
}

/** Transfers: the ERP also writes a line for where the stock goes, which is supply there. */
export const isTransfer = (type: string): boolean =>
  type[0] === '3' || type.startsWith('64') || type in SENT_TO

/** Movements of own stock whose lines bear the mark of the special stock that it becomes, or was. */
const SENT_TO: Record<string, string> = { '541': 'O', '542': 'O', '631': 'W', '632': 'W' }

/** Whether a line moves no stock of one's own: that of suppliers, customers, projects and orders. */
export const isOfOthers = (type: string, special: string): boolean =>
  Boolean(special) && SENT_TO[type] !== special
