// SAP's movement types that are demand: stock is consumed, sold or sent to another plant. Scrap (551),
// physical inventory (701) and receipts (1xx, 5xx) are not demand.

/** Sales and their cancellations, customers' returns, retail sales, consumption, stock transport orders without a delivery (351) and with one. */
export const DEFAULT_MOVEMENTS = [
  '+601,-602',
  '-651,+652,-653,+654,-655,+656,-657,+658',
  '+251,-252',
  '+201,-202,+221,-222,+231,-232,+261,-262,+291,-292',
  '+351,-352',
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

/** Transfers between plants: the ERP also writes a line for the receiving plant, which is supply. */
export const isTransfer = (type: string): boolean => type[0] === '3' || type.startsWith('64')
