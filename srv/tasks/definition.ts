// The one kind of tasks that there is, and what is shown of each.
import type { Task } from './task.ts'

export const DEFINITION = 'ORDER_PROPOSAL_APPROVAL'

/** In the order of their rank. */
export const ATTRIBUTES = {
  supplier: { type: 'STRING' },
  location: { type: 'STRING' },
  quantity: { type: 'INTEGER' },
  value: { type: 'STRING', format: 'CURRENCY' },
  neededBy: { type: 'DATE' },
  daysOfSupply: { type: 'INTEGER' },
} as const

export type AttributeCode = keyof typeof ATTRIBUTES

const LONGEST = 255

/** The attributes that have a value. */
export function attributesOf(task: Task): { code: AttributeCode; value: string }[] {
  const { supplier, location, quantity, value, currency, neededBy, daysOfSupply } = task
  const values: Record<AttributeCode, string | number | null> = {
    supplier,
    location,
    quantity,
    value: value === null ? null : currency ? `${currency} ${value}` : value,
    neededBy,
    daysOfSupply,
  }
  return Object.entries(values).flatMap(([code, value]) =>
    value === null ? [] : [{ code: code as AttributeCode, value: String(value).slice(0, LONGEST) }],
  )
}
