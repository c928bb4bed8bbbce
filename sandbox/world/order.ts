import type { Day } from './days.ts'

export interface OrderLine {
  /** `00010` … */
  item: string
  sku: string
  plant: string
  unit: string
  baseUnit: string
  /** Base units per order unit. */
  factor: number
  /** The following quantities are in thousandths of the order unit. */
  quantity: number
  received: number
  schedule: { due: Day; quantity: number }[]
  isCompleted: boolean
  /** Completed although less came than was ordered. */
  isFinal?: boolean
  deletion: '' | 'L' | 'S'
  isReturn: boolean
  account: string
}

export interface Order {
  number: string
  created: number
  changed: number
  supplier: string
  deletion: '' | 'L'
  /** "Your reference", at most 12 characters. */
  reference?: string
  lines: OrderLine[]
}

/** Open quantity of each schedule line in thousandths of the order unit; receipts fill the earliest first. */
export function openBySchedule(line: OrderLine): number[] {
  const open = line.schedule.map(({ quantity }) => (line.isCompleted ? 0 : quantity))
  let received = Math.max(0, line.received)
  const byDue = line.schedule.map(({ due }, i) => ({ due, i })).sort((a, b) => a.due - b.due)
  for (const { i } of byDue) {
    const served = Math.min(open[i]!, received)
    open[i]! -= served
    received -= served
  }
  return open
}
