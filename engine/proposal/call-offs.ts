// Which contract with a supplier an order is called off from, and what the contract has left.
import { byText } from '../series/natural-order.ts'
import { withoutNoise } from '../inventory/position.ts'
import type { Units } from '../types.ts'

/** Goods agreed with a supplier, from which orders call off. */
export interface Contract {
  document: string
  line: string
  /** Empty: of all locations. */
  location: string
  /** Null: whoever the supplier is. */
  supplier: string | null
  /** What has not been called off. */
  remaining: Units
  /** Its first and its last day; null: not limited. */
  createdOn: string | null
  due: string | null
}

/** Where and when a contract is open, whatever it has left. */
type Terms = Omit<Contract, 'remaining'>

/** An order that is wanted, of the same goods. */
export interface Call {
  ID: number
  location: string
  supplier: string | null
  quantity: Units
}

export interface CallOff<C extends Contract = Contract> {
  contract: C
  /** What it has left for this order, once those before have taken theirs. */
  left: Units
  called: Units
  /** What of the order no contract has been agreed for. */
  over: Units
}

/**
 * Each order calls off from the oldest contract that is open and has something left; where none has, it is told of the newest.
 * @param calls in the order in which they take
 * @param asOf the day of the orders
 */
export function callOffs<C extends Contract>(
  contracts: readonly C[],
  calls: readonly Call[],
  asOf: string,
): Map<number, CallOff<C>> {
  const open = contracts.filter(({ remaining }) => remaining > 0)
  const taken = new Map<C, Units>()
  const found = new Map<number, CallOff<C>>()
  const leftOf = (contract: C) =>
    withoutNoise(Math.max(0, contract.remaining - (taken.get(contract) ?? 0)))
  for (const call of calls) {
    const own = contractsFor(open, call, asOf)
    const contract = own.find((each) => leftOf(each) > 0) ?? own.at(-1)
    if (!contract) continue
    const left = leftOf(contract)
    const called = Math.min(call.quantity, left)
    taken.set(contract, (taken.get(contract) ?? 0) + called)
    found.set(call.ID, { contract, left, called, over: withoutNoise(call.quantity - called) })
  }
  return found
}

/** Those that hold for an order on a day, the oldest first. */
export const contractsFor = <C extends Terms>(
  contracts: readonly C[],
  call: Call,
  asOf: string,
): C[] =>
  contracts.filter((contract) => isOpen(contract, asOf) && isFor(contract, call)).sort(byAge)

const isOpen = ({ createdOn, due }: Terms, asOf: string) =>
  (createdOn === null || createdOn <= asOf) && (due === null || due >= asOf)

const isFor = (contract: Terms, { location, supplier }: Call) =>
  (contract.location === '' || contract.location === location) &&
  (contract.supplier === null || contract.supplier === supplier)

/** One without a first day is the newest: nobody knows that it is old. */
const byAge = (a: Terms, b: Terms) =>
  byText(a.createdOn ?? '9', b.createdOn ?? '9') ||
  byText(a.document, b.document) ||
  byText(a.line, b.line)
