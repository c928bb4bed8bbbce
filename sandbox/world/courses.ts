// What becomes of purchase orders ("courses"): one of forty is the course of each fortieth order of a day.
import { BLOCK_PAIRS } from './pairs.ts'

export type Part = 'all' | 'first' | 'second' | 'half' | 'rest'

/** A goods receipt of an order, its cancellation, or a return to the supplier. Days are counted from the order's. */
interface Receipt {
  after: number
  part: Part
  type?: '101' | '102' | '122' | '123'
  /** Only the first lines of the order. */
  lines?: number
  /** Index of the course's receipt whose document this one reverses. */
  reverses?: number
}

export interface Course {
  /** Due days of the schedule lines: 60 % of the quantity, and the rest. */
  due: number[]
  receipts: Receipt[]
  /** The first receipt completes the lines, although less came than was ordered. */
  isFinal?: boolean
  /** Someone completes the lines. */
  closedAfter?: number
  /** The whole order is deleted. */
  deletedAfter?: number
  /** The last line gets a deletion code. */
  lastLine?: { after: number; deletion: 'L' | 'S' }
  /** The due days change. */
  postponed?: { after: number; due: number[] }
}

const ALL_BUT_LAST = BLOCK_PAIRS - 1

const once = (due: number, after: number): Course => ({
  due: [due],
  receipts: [{ after, part: 'all' }],
})

const inParts = (due: number[], first: number, second: number): Course => ({
  due,
  receipts: [
    { after: first, part: 'first' },
    { after: second, part: 'second' },
  ],
})

const inThreeParts = (due: number[], after: [number, number, number]): Course => ({
  due,
  receipts: [
    { after: after[0], part: 'half' },
    { after: after[1], part: 'rest' },
    { after: after[2], part: 'second' },
  ],
})

/** Two receipts more take the first one back and bring it again. */
const takenBack = (types: ['102', '101'] | ['122', '123'], part: Part, after: number[]): Course => {
  const [came, back, again] = after as [number, number, number]
  const isReturned = types[1] === '123'
  return {
    due: [14],
    receipts: [
      { after: came, part: 'all' },
      { after: back, part, type: types[0], ...(!isReturned && { reverses: 0 }) },
      { after: again, part, type: types[1], ...(isReturned && { reverses: 1 }) },
    ],
  }
}

export const COURSES: Course[] = [
  ...[
    ...[once(7, 6), once(7, 7), once(10, 9), once(10, 12), once(12, 12), once(14, 13)],
    ...[once(14, 14), once(14, 15), once(14, 19), once(18, 17), once(18, 18)],
    ...[once(21, 20), once(21, 26), once(28, 27), once(28, 30)],
  ],
  ...[inParts([10], 9, 13), inParts([14], 13, 17), inParts([14], 14, 21), inParts([14], 12, 16)],
  ...[inParts([14], 13, 18), inParts([21], 19, 25)],
  ...[inParts([21], 20, 24), inParts([21], 21, 28), inParts([28], 27, 33)],
  ...[inParts([14, 30], 14, 31), inParts([7, 21], 7, 22), inParts([21, 42], 20, 43)],
  ...[inThreeParts([14, 35], [13, 20, 36]), inThreeParts([10, 28], [9, 14, 29])],
  takenBack(['102', '101'], 'all', [15, 16, 25]),
  takenBack(['122', '123'], 'half', [14, 18, 21]),
  once(14, 60),
  { ...once(14, 41), postponed: { after: 12, due: [40] } },
  { due: [14], receipts: [{ after: 14, part: 'first' }], isFinal: true },
  { due: [21], receipts: [{ after: 22, part: 'first' }], isFinal: true },
  { due: [14], receipts: [], deletedAfter: 40 },
  { due: [14], receipts: [], closedAfter: 50 },
  // The last line is forgotten for ever; is forgotten in part until someone tidies up; is blocked.
  { due: [14], receipts: [{ after: 15, part: 'all', lines: ALL_BUT_LAST }] },
  {
    due: [14],
    receipts: [
      { after: 14, part: 'first' },
      { after: 20, part: 'second', lines: ALL_BUT_LAST },
    ],
    lastLine: { after: 365, deletion: 'L' },
  },
  {
    due: [14],
    receipts: [{ after: 15, part: 'all', lines: ALL_BUT_LAST }],
    lastLine: { after: 5, deletion: 'S' },
  },
]

export interface Event {
  course: number
  after: number
  type: '101' | '102' | '122' | '123'
  part: Part
  /** Number of lines, from the order's first. */
  lines: number
  /** Index of the event whose document this one reverses. */
  reverses?: number
  /** Index of the event whose document reverses this one. */
  reversedBy?: number
}

/** The receipts of all courses; the documents of a day are in this order. */
export const EVENTS: Event[] = COURSES.flatMap(({ receipts }, course) => {
  const before = COURSES.slice(0, course).reduce((sum, each) => sum + each.receipts.length, 0)
  return receipts.map(({ after, part, type = '101', lines = BLOCK_PAIRS, reverses }, i): Event => {
    const by = receipts.findIndex((other) => other.reverses === i)
    return {
      ...{ course, after, type, part, lines },
      ...(reverses !== undefined && { reverses: before + reverses }),
      ...(by >= 0 && { reversedBy: before + by }),
    }
  })
})

const BY_COURSE = COURSES.map((_, course) => EVENTS.filter((event) => event.course === course))

/** The events of a course. */
export const eventsOf = (course: number): Event[] => BY_COURSE[course]!

/** A part of an ordered quantity, in whole order units. */
export function part(quantity: number, name: Part): number {
  const first = Math.ceil(quantity * 0.6)
  const half = Math.floor(first / 2)
  return { all: quantity, first, second: quantity - first, half, rest: first - half }[name]
}
