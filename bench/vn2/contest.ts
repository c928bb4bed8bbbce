// The VN2 Inventory Planning Challenge of 2025: its files, as its organisers name them, and its rules.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'

/** Money for a unit and week; weeks from the decision's Monday to the delivery; weeks with an order, and weeks that count. */
export const RULES = { carrying: 0.2, shortage: 1, leadWeeks: 2, orders: 6, weeks: 8 }

export interface StoreProduct {
  store: string
  product: string
  /** Units wanted in each past week, and whether it was in stock; null before it was sold. */
  past: (number | null)[]
  wasInStock: boolean[]
  /** What will be wanted in the weeks that count. */
  real: number[]
  onHand: number
  /** What comes at the begin of the first and of the second week. */
  coming: [number, number]
}

export interface Contest {
  /** Mondays of the past weeks, as `2024-04-08`. */
  past: string[]
  /** Mondays of the weeks that count. */
  weeks: string[]
  pairs: StoreProduct[]
}

type Row = Record<string, string>

const DATE = /^\d{4}-\d\d-\d\d$/
const keyOf = ({ Store, Product }: Row) => `${Store} ${Product}`

/** @throws where a file is missing, or has no row for a pair or no column for a week */
export function readContest(folder: string): Contest {
  const names = readdirSync(folder)
  const read = (pattern: RegExp): Map<string, Row> => {
    const name = names.find((each) => pattern.test(each))
    if (!name) throw new Error(`${folder} has no file like ${pattern.source}`)
    const rows = parse<Row>(readFileSync(path.join(folder, name)), { columns: true, bom: true })
    return new Map(rows.map((row) => [keyOf(row), row]))
  }
  const history = read(/^Week 0 - .* - Sales\.csv$/)
  const inStock = read(/^Week 0 - In Stock\.csv$/)
  const state = read(/^Week 0 - .* - Initial State\.csv$/)
  const past = Object.keys([...history.values()][0] ?? {})
    .filter((name) => DATE.test(name))
    .sort()
  const weeks = Array.from({ length: RULES.weeks }, (_, at) => addWeeks(past.at(-1)!, at + 1))
  const later = weeks.map((week, at) => {
    const rows = read(new RegExp(`^Week ${at + 1} - .*Sales\\.csv$`))
    return (key: string) => cell(rows, key, week)
  })
  const pairs = [...history].map(([key, row]) => ({
    ...{ store: row.Store!, product: row.Product! },
    past: past.map((week) => (row[week] === '' ? null : Number(row[week]))),
    wasInStock: past.map((week) => /^(true|1)$/i.test(inStock.get(key)?.[week] ?? '')),
    real: later.map((of) => of(key)),
    onHand: cell(state, key, 'End Inventory'),
    coming: [cell(state, key, 'In Transit W+1'), cell(state, key, 'In Transit W+2')] as [
      number,
      number,
    ],
  }))
  return { past, weeks, pairs }
}

function cell(rows: Map<string, Row>, key: string, column: string): number {
  const value = rows.get(key)?.[column]
  if (value === undefined || value === '' || Number.isNaN(Number(value)))
    throw new Error(`${key} has no number for ${column}`)
  return Number(value)
}

export function addWeeks(day: string, weeks: number): string {
  return new Date(Date.parse(day) + weeks * 7 * 86_400_000).toISOString().slice(0, 10)
}

/** One pair from week to week: what comes, what is wanted, what is left or missing, and what that costs. */
export class Shelf {
  onHand: number
  short = 0
  leftUnitWeeks = 0
  /** By weeks from now: the first comes at the begin of this one. */
  readonly #coming: number[]

  constructor({ onHand, coming }: StoreProduct) {
    this.onHand = onHand
    this.#coming = [...coming]
  }

  /** Comes `RULES.leadWeeks` after this week's begin. */
  order(quantity: number) {
    this.#coming[RULES.leadWeeks] = (this.#coming[RULES.leadWeeks] ?? 0) + quantity
  }

  pass(wanted: number) {
    this.onHand += this.#coming.shift() ?? 0
    const sold = Math.min(this.onHand, wanted)
    this.onHand -= sold
    this.short += wanted - sold
    this.leftUnitWeeks += this.onHand
  }

  get cost() {
    return this.leftUnitWeeks * RULES.carrying + this.short * RULES.shortage
  }
}
