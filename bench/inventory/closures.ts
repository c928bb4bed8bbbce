// node bench/inventory/closures.ts: a supplier is closed for three weeks: what a plan that knows it costs, against a year
// without the closure and against a plan that does not know.
import {
  type Days,
  demandDistribution,
  predictQuantiles,
  toEpochDay,
  type Units,
} from '../../engine/index.ts'
import { propose, type ProposalInput } from '../../engine/proposal/index.ts'
import { arrivalOf, type ClosedDays } from '../../engine/inventory/closures.ts'
import { addDays } from '../../engine/proposal/dates.ts'
import { type DemandSet, loadSet, type Pair, REVIEW, SETS } from './sets.ts'

const LEAD_TIMES: Days[] = [7, 14, 28]
const COSTS = { stockoutRate: 0.4, carryingRate: 0.25 }
const FIRST_DAY = '2025-01-06'
const CLOSED_FOR: Days = 21
/** First days of the closure, each in a world of its own, counted from the first review: in the middle of a week. */
const CLOSED_FROM: Days[] = [59, 101, 143, 185, 227, 269]
/** Days after it in which what was kept for it is used up. */
const WAKE: Days = 56

const WORLDS = {
  'never closed': { isClosed: false, isKnown: false },
  'closed, known': { isClosed: true, isKnown: true },
  'closed, not known': { isClosed: true, isKnown: false },
}
type World = (typeof WORLDS)[keyof typeof WORLDS] & { closure: ClosedDays; through: Span }

const start = toEpochDay(FIRST_DAY)

const closureFrom = (day: Days): ClosedDays => ({
  weekdays: [],
  days: new Set(Array.from({ length: CLOSED_FOR }, (_, i) => start + day + i)),
})

/** The day on which an order of a day is usable, counted from the first review. */
const arrival = (day: Days, leadTimeDays: Days, supplier: ClosedDays | null) =>
  arrivalOf(start + day, leadTimeDays, { supplier, location: null }) - start

interface Span {
  from: Days
  to: Days
}

/** From the arrival of the last order before the closure until that of the second one after it. */
function spanOf(from: Days, leadTimeDays: Days): Span {
  const closure = closureFrom(from)
  const days = Array.from({ length: 60 }, (_, week) =>
    arrival(week * REVIEW, leadTimeDays, closure),
  )
  const after = [...new Set(days.filter((day) => day >= from))]
  return { from: days.filter((day) => day < from).at(-1)!, to: after[1]! }
}

interface Part {
  demand: Units
  short: Units
  unitDays: number
  /** Days on which something found no stock. */
  daysShort: number
}
const nothing = (): Part => ({ demand: 0, short: 0, unitDays: 0, daysShort: 0 })

function simulate(set: DemandSet, pair: Pair, leadTimeDays: Days, world: World) {
  const parts = { through: nothing(), wake: nothing(), outside: nothing() }
  const { from, to } = world.through
  const past = pair.demand.subarray(set.start - 56, set.start)
  let onHand = Math.ceil(
    (past.reduce((sum, units) => sum + units, 0) / 56) * (leadTimeDays + REVIEW),
  )
  let open: { day: Days; quantity: Units }[] = []
  for (let day = 0; day < set.weeks * REVIEW; day++) {
    onHand += open.filter((order) => order.day === day).reduce((sum, o) => sum + o.quantity, 0)
    open = open.filter((order) => order.day > day)
    if (day % REVIEW === 0) {
      const quantity = order(pair, day, onHand, open, leadTimeDays, world)
      const closed = world.isClosed ? world.closure : null
      if (quantity) open.push({ day: arrival(day, leadTimeDays, closed), quantity })
    }
    const wanted = pair.demand[set.start + day]!
    const short = Math.max(0, wanted - Math.max(0, onHand))
    onHand -= wanted
    if (day < leadTimeDays + 28) continue
    const when = day >= to && day < to + WAKE ? 'wake' : 'outside'
    const part = parts[day >= from && day < to ? 'through' : when]
    part.demand += wanted
    part.short += short
    part.unitDays += Math.max(0, onHand)
    if (short > 0) part.daysShort++
  }
  return parts
}

function order(
  pair: Pair,
  day: Days,
  onHand: Units,
  open: readonly { day: Days; quantity: Units }[],
  leadTimeDays: Days,
  { isKnown, closure }: World,
): Units {
  const model = pair.models[day / REVIEW]!
  const input: ProposalInput = {
    asOf: addDays(FIRST_DAY, day),
    forecast: {
      at: (days) => predictQuantiles(model, days),
      distribution: (days) => demandDistribution(model, days),
    },
    position: {
      ...{ onHand, onOrder: 0, openProposals: 0 },
      receipts: open.map(({ day: due, quantity }) => ({ date: addDays(FIRST_DAY, due), quantity })),
    },
    planning: {
      ...{ leadTimeDays, reviewPeriodDays: REVIEW, moq: 1, lotSize: 1, supplier: null },
      supplierClosed: isKnown ? closure : null,
    },
    policy: { reviewPeriodDays: REVIEW, target: COSTS, supplierRequired: false },
  }
  const result = propose(input)
  const isDue = result.kind === 'order' && result.orderBy! < addDays(input.asOf, REVIEW)
  return isDue ? result.quantity : 0
}

const add = (sum: Part, one: Part): Part => ({
  demand: sum.demand + one.demand,
  short: sum.short + one.short,
  unitDays: sum.unitDays + one.unitDays,
  daysShort: sum.daysShort + one.daysShort,
})

const PARTS = ['through', 'wake', 'outside'] as const
const HEAD = ['set', 'lead time', 'closures', 'the supplier is', 'short through it', 'days short']
console.log(
  `| ${[...HEAD, 'fill rate', 'short otherwise', ...PARTS.map((part) => `stock ${part}`)].join(' | ')} |`,
)
console.log(`|${'---|'.repeat(HEAD.length + 5)}`)
for (const rule of SETS) {
  const set = await loadSet(rule)
  for (const leadTimeDays of LEAD_TIMES) {
    const closures = CLOSED_FROM.map((from) => ({
      closure: closureFrom(from),
      through: spanOf(from, leadTimeDays),
    })).filter(({ through }) => through.to <= set.weeks * REVIEW)
    let plain: Record<(typeof PARTS)[number], Part> | undefined
    for (const [name, world] of Object.entries(WORLDS)) {
      const all = closures.flatMap((closed) =>
        set.pairs.map((pair) => simulate(set, pair, leadTimeDays, { ...world, ...closed })),
      )
      const sum = (part: (typeof PARTS)[number]) =>
        all.map((each) => each[part]).reduce(add, nothing())
      const own = { through: sum('through'), wake: sum('wake'), outside: sum('outside') }
      plain ??= own
      const cells = [
        ...[set.name, leadTimeDays, closures.length, name],
        ...[Math.round(own.through.short), own.through.daysShort],
        `${(100 * (1 - own.through.short / own.through.demand)).toFixed(1)} %`,
        Math.round(own.wake.short + own.outside.short),
        ...PARTS.map(
          (part) => `${((100 * own[part].unitDays) / plain![part].unitDays).toFixed(1)} %`,
        ),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
}
