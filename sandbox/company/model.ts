// What a company has. Identifiers count from 1 on, as most ERPs number their records.
export interface Item {
  /** From 1 on, without gaps; ERPs number their records so. */
  id: number
  code: string
  name: string
  group: string
  unit: 'PC' | 'KG'
  /** Purchase orders are in this unit, of so many base units; null where they are in base units. */
  orderUnit: { code: string; factor: number } | null
  /** A decimal in EUR, for a base unit. */
  unitCost: string
  supplier: Supplier
  leadTimeDays: number
  /** Base units; multiples of the order unit. */
  moq: number
  lotSize: number
  /** False: it is not bought any more. */
  isActive: boolean
  changedAt: number
}

export interface Location {
  id: number
  code: string
  name: string
}

export interface Supplier {
  id: number
  code: string
  name: string
}

/** An item at a location. */
export interface Pair {
  item: Item
  location: Location
  /** Base units; never negative unless somebody sells what is not there. */
  onHand: number
}

export interface OrderLine {
  id: number
  number: number
  pair: Pair
  /** Base units. */
  quantity: number
  received: number
  /** `YYYY-MM-DD` */
  due: string
  /** What was asked for, and what its supplier has promised; absent where nobody entered it. */
  requested?: string
  promised?: string
  /** A decimal in EUR, for a base unit; the item's cost unless given. */
  price?: string
  /** Percent of the price. */
  discount?: number
  /** Nothing more will come. */
  isClosed: boolean
  /** The line of the agreement that it calls off from. */
  agreement?: AgreementLine
}

export interface AgreementLine {
  /** Of the agreement, and of the line in it. */
  id: number
  number: number
  item: Item
  /** Null: at all locations. */
  location: Location | null
  /** Base units. */
  quantity: number
  /** A decimal in EUR, for a base unit. */
  unitCost: string
}

/** Goods that a supplier has agreed to deliver, from which orders call off. */
export interface Agreement {
  id: number
  number: string
  supplier: Supplier
  /** `YYYY-MM-DD`; null: not limited. */
  from: string | null
  until: string | null
  lines: AgreementLine[]
}

export interface Order {
  id: number
  number: string
  supplier: Supplier
  orderedAt: number
  changedAt: number
  status: 'draft' | 'open' | 'done' | 'cancelled'
  lines: OrderLine[]
}

export interface SalesLine {
  id: number
  number: number
  pair: Pair
  quantity: number
  delivered: number
  due: string
}

export interface SalesOrder {
  id: number
  number: string
  orderedAt: number
  changedAt: number
  status: 'open' | 'done' | 'cancelled'
  lines: SalesLine[]
}

/** What was deleted from the database, as ERPs that keep such a list tell it. */
export interface Deletion {
  kind: 'item' | 'order' | 'salesOrder'
  id: number
  at: number
}
