// Stock moves: those that were done are the ledger, and what orders still bring or take are drafts.
import type { Company } from '../company/company.ts'
import { dayOfTime } from '../company/days.ts'
import type { Movement } from '../company/ledger.ts'
import type { Pair } from '../company/model.ts'
import type { ModelRecord } from '../models/predicate.ts'
import type { Hints, Table } from '../models/table.ts'
import { CUSTOMERS, FACTORY, LOSS, storageOf, SUPPLIERS } from './places.ts'
import { day, time } from './values.ts'

/** A production that waits for one unit of the first item. */
export const PRODUCTION = { id: 1, number: 'MO-1' }

/** Draft moves of purchases, of sales and of productions have numbers from here on. */
const PURCHASES = 1_000_000_000
const SALES = 1_500_000_000
const INPUTS = 1_900_000_000

const OUTSIDE = { sale: CUSTOMERS, return: CUSTOMERS, receipt: SUPPLIERS, adjustment: LOSS }

export const moveTable = (company: Company): Table => ({
  fields: [],
  *rows({ after, from, sets }: Hints) {
    const { ledger } = company
    const since = from.get('changed')
    const first =
      typeof since === 'string' ? ledger.firstAt(Date.parse(`${since.replace(' ', 'T')}Z`)) : 1
    const products = sets.get('product')
    for (let id = Math.max(after + 1, first); id <= ledger.size; id++) {
      const movement = ledger.movement(id)
      if (!products || products.has(movement.item.id)) yield doneRow(movement)
    }
    for (const { status, lines, changedAt } of company.orders) {
      if (status === 'draft') continue
      for (const { id, pair, quantity, received, isClosed, due } of lines) {
        const left = quantity - received
        const isOpen = status === 'open' && !isClosed && left > 0
        const way = { from_location: SUPPLIERS, to_location: storageOf(pair.location.id) }
        const origin = `purchase.line,${id}`
        const row = { ...openRow(pair, left, due, changedAt, isOpen), ...way, origin }
        if (PURCHASES + id > after) yield { ...row, id: PURCHASES + id }
      }
    }
    for (const { status, lines, changedAt } of company.salesOrders) {
      for (const { id, pair, quantity, delivered, due } of lines) {
        const left = quantity - delivered
        const isOpen = status === 'open' && left > 0
        const way = { from_location: storageOf(pair.location.id), to_location: CUSTOMERS }
        const origin = `sale.line,${id}`
        const row = { ...openRow(pair, left, due, changedAt, isOpen), ...way, origin }
        if (SALES + id > after) yield { ...row, id: SALES + id }
      }
    }
    const id = INPUTS + PRODUCTION.id
    if (id > after) yield { ...inputRow(company), id }
  },
})

function doneRow({ id, at, kind, item, location, quantity, line }: Movement): ModelRecord {
  const [inside, outside] = [storageOf(location.id), OUTSIDE[kind]]
  return {
    ...{ id, state: 'done', company: { id: 1 }, product: { id: item.id, code: item.code } },
    from_location: quantity < 0 ? inside : outside,
    to_location: quantity < 0 ? outside : inside,
    ...{ internal_quantity: Math.abs(quantity), planned_date: null },
    effective_date: day(dayOfTime(at)),
    origin: line ? `purchase.line,${line}` : null,
    ...{ create_date: time(at), write_date: null },
  }
}

function inputRow({ pairs, clock }: Company) {
  const pair = pairs[0]!
  const way = { from_location: storageOf(pair.location.id), to_location: FACTORY }
  const row = openRow(pair, 1, dayOfTime(clock.now()), 0, true)
  return { ...row, ...way, origin: null, production_input: PRODUCTION.id }
}

const openRow = (
  { item }: Pair,
  left: number,
  due: string,
  changedAt: number,
  isOpen: boolean,
) => ({
  ...{ state: isOpen ? 'draft' : 'cancelled', company: { id: 1 } },
  product: { id: item.id, code: item.code },
  ...{ internal_quantity: left, planned_date: day(due), effective_date: null },
  ...{ create_date: time(changedAt), write_date: null },
})
