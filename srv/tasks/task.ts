import { toDecimal, toNumber } from '../store/numbers.ts'

export type TaskStatus = 'READY' | 'RESERVED' | 'FOR_RESUBMISSION' | 'COMPLETED' | 'CANCELED'
/** The task lists that people decide in. */
export type Door = 'task_center' | 'my_inbox'
export type Priority = 'VERY_HIGH' | 'HIGH' | 'MEDIUM' | 'LOW'

/** A row of restock.Tasks with numbers as numbers and money as a decimal string. */
export interface Task {
  localId: string
  /** When it was last changed, in milliseconds since 1970. */
  stamp: number
  place: string
  fingerprint: string
  status: TaskStatus
  priority: Priority
  /** Null for the task of a whole order. */
  proposal: number | null
  source: number
  sku: string | null
  location: string | null
  supplier: string | null
  /** The location that gives, in a transfer. */
  fromLocation: string | null
  lines: number
  quantity: number
  value: string | null
  currency: string | null
  orderBy: string | null
  neededBy: string | null
  /** At the median of demand; null where there is none. */
  daysOfSupply: number | null
  subject: string
  audience: string
  /** The person who has claimed it. */
  processor: string | null
  createdAt: string
  dueAt: string | null
  resumeAt: string | null
  completedAt: string | null
  completedBy: string | null
  openKey: string | null
  /** Of what is decided about; null in a task from before there were any. */
  terms: string | null
}

/** A task before it has its stamp in the feed. */
export type Draft = Omit<Task, 'stamp' | 'place' | 'fingerprint'>

/** As the database answers it: 64-bit integers and decimals may be texts. */
export type TaskRow = Omit<Task, 'stamp' | 'quantity' | 'value'> & {
  stamp: number | string
  quantity: number | string
  value: number | string | null
}

export const toTask = (row: TaskRow): Task => ({
  ...row,
  stamp: Number(row.stamp),
  proposal: toNumber(row.proposal),
  lines: Number(row.lines),
  quantity: Number(row.quantity),
  daysOfSupply: toNumber(row.daysOfSupply),
  value: toDecimal(row.value, 2),
})

export const isFinal = ({ status }: Pick<Task, 'status'>) =>
  status === 'COMPLETED' || status === 'CANCELED'

/** Sorts as the bytes of the id do, whatever the database's collation. */
export const placeOf = (localId: string) => Buffer.from(localId).toString('hex')
