// Scenarios of purchase orders ("courses"): due dates and goods receipts.
export type Part = 'all' | 'first' | 'second' | 'half' | 'rest'
export interface Event {
  course: number
  after: number
  type: '101' | '102' | '122' | '123'
  part: Part
  /** Index of the event whose document this one reverses. */
  reverses?: number
}

/** Due days of the schedule lines by course, counted from the order. */
export const DUE: number[][] = [[14], [14, 30], [14, 35], [14], [14], [14], [14, 28], [14]]
/** The course with a final delivery of less than the ordered quantity. */
export const FINAL = 6
/** The course that ends with deletion. */
export const DELETED = 7
export const DELETED_AFTER = 90

export const EVENTS: Event[] = [
  { course: 0, after: 15, type: '101', part: 'all' },
  { course: 1, after: 14, type: '101', part: 'first' },
  { course: 1, after: 31, type: '101', part: 'second' },
  { course: 2, after: 13, type: '101', part: 'half' },
  { course: 2, after: 20, type: '101', part: 'rest' },
  { course: 2, after: 36, type: '101', part: 'second' },
  { course: 3, after: 15, type: '101', part: 'all' },
  { course: 3, after: 16, type: '102', part: 'all', reverses: 6 },
  { course: 3, after: 25, type: '101', part: 'all' },
  { course: 4, after: 14, type: '101', part: 'all' },
  { course: 4, after: 18, type: '122', part: 'half' },
  { course: 4, after: 21, type: '123', part: 'half', reverses: 10 },
  { course: 5, after: 60, type: '101', part: 'all' },
  { course: 6, after: 14, type: '101', part: 'first' },
]

const BY_COURSE = DUE.map((_, course) => EVENTS.filter((event) => event.course === course))

/** The events of a course. */
export const eventsOf = (course: number): Event[] => BY_COURSE[course]!

/** A part of an ordered quantity, in whole order units. */
export function part(quantity: number, name: Part): number {
  const first = Math.ceil(quantity * 0.6)
  const half = Math.floor(first / 2)
  return { all: quantity, first, second: quantity - first, half, rest: first - half }[name]
}
