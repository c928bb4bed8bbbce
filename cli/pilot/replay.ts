// Plans a pilot and has it computed: the window, what was known in each of its weeks, and the replay of each pair.
import {
  type Calibration,
  type Days,
  type EpochDay,
  type HolidaysAt,
  toDate,
} from '../../engine/index.ts'
import { weekdayOf } from '../../engine/proposal/index.ts'
import { WrongUsage } from '../errors.ts'
import { shareStock } from '../offline/histories.ts'
import { learn } from '../offline/learn-job.ts'
import { type Locations, locationsOf } from '../offline/locations.ts'
import { runTasks, type Workers } from '../offline/workers.ts'
import { orderOf, type Past, type PastPair, type Window } from './past.ts'
import {
  type LeadTimes,
  type PairResult,
  replayOrders,
  type ReplayJob,
  type ReplayOrder,
  type Review,
} from './replay-job.ts'

const WEEK: Days = 7
/** What is learnt from the past of all pairs holds so many weeks. */
const LEARNT_EVERY = 4
/** Days of demand without which nothing can be forecast. */
const BEFORE: Days = 91
const FEWEST_WEEKS = 8
/** A pair is forecast in each of its weeks, so that few pairs are much work. */
const PAIRS_PER_TASK = { least: 10, most: 80 }
/** Enough to keep all threads busy to the end. */
const TASKS = 64

export interface Wish {
  /** Weeks to replay, at most. */
  weeks: number
  /** The first day, instead of so many weeks before the end. */
  since?: EpochDay | undefined
  holidaysAt?: HolidaysAt | undefined
}

export interface Pilot {
  window: Window
  results: PairResult[]
}

/** The weeks that can be replayed. @throws WrongUsage where there are too few */
export function windowOf(
  { histories, levels, lines, hasReceipts, end, notes }: Past,
  { weeks, since }: Wish,
): Window {
  const first = histories.days.reduce((day, each) => Math.min(day, each), Infinity)
  const stock = levels.days.reduce(
    (day, each) => (each < end - 1 ? Math.min(day, each) : day),
    Infinity,
  )
  const receipt = hasReceipts
    ? lines.received.reduce((day, each) => Math.min(day, each), Infinity)
    : Infinity
  const known = Math.min(stock, receipt)
  if (known === Infinity) throw new WrongUsage(NOTHING_KNOWN)
  const wished = since ?? end - WEEK * weeks
  const earliest = Math.max(wished, first + BEFORE, known)
  const whole = Math.floor((end - earliest) / WEEK)
  if (whole < (since === undefined ? FEWEST_WEEKS : 1))
    throw new WrongUsage(
      `There are too few weeks to replay: demand from ${toDate(first)} (of which ${BEFORE} days come before the replay), stock or receipts from ${toDate(known)}, the end ${toDate(end)}.`,
    )
  if (earliest > wished)
    notes.push({
      text: 'note_few_weeks',
      args: { weeks: whole, demand: toDate(first), stock: toDate(known) },
    })
  return { start: end - WEEK * whole, days: WEEK * whole }
}

const NOTHING_KNOWN =
  'Neither past stock nor receipts are known, so that nobody can say what you really had: add stock_history.csv or receipts.csv, or sync a source that reads receipts.'

export async function replayPast(
  past: Past,
  wish: Wish,
  workers: Workers,
  report: (what: string) => void,
): Promise<Pilot> {
  const window = windowOf(past, wish)
  const { pairs, levels, lines, hasReceipts, seen } = past
  const places = pairs.map(({ location }) => location)
  const histories = { ...past.histories, stock: shareStock(places, levels, seen) }
  const locations = locationsOf(pairs, histories, { holidaysAt: wish.holidaysAt })
  const { reviews, calibrations } = await whatWasKnown(
    { pairs, histories },
    window,
    locations,
    workers,
    report,
  )
  const job: ReplayJob = {
    ...{ window, histories, levels, lines, hasReceipts, reviews, calibrations },
    locationOfPair: locations.ofPair,
    leadTimes: leadTimesOf(past),
  }
  let done = 0
  const parts = await runTasks(
    workers,
    tasksOf(pairs).map((orders) => ({ job, orders })),
    replayOrders,
    (results) => {
      report(
        `replaying ${window.days / WEEK} weeks, ${(done += results.length)} of ${pairs.length} pairs`,
      )
      return results
    },
  )
  return { window, results: parts.flat().sort((a, b) => a.pair - b.pair) }
}

/**
 * Orders by task, each with its own pairs alone, since a task is copied to its thread. The largest come first, so that no thread
 * is left with one at the end.
 */
export function tasksOf(pairs: PastPair[]): ReplayOrder[][] {
  const most = Math.min(
    PAIRS_PER_TASK.most,
    Math.max(PAIRS_PER_TASK.least, Math.ceil(pairs.length / TASKS)),
  )
  const tasks: ReplayOrder[][] = []
  let room = 0
  for (const order of ordersOf(pairs)) {
    if (room < order.pairs.length) {
      tasks.push([])
      room = most
    }
    tasks.at(-1)!.push(order)
    room -= order.pairs.length
  }
  return tasks
}

/** Pairs whose supplier asks something of a whole order are ordered together, each other one by itself; largest first. */
function ordersOf(pairs: PastPair[]): ReplayOrder[] {
  const orders = Map.groupBy(pairs.keys(), (at) => {
    const pair = pairs[at]!
    return pair.supplierOrder ? orderOf(pair) : at
  })
  return [...orders.values()]
    .sort((a, b) => b.length - a.length)
    .map((numbers) => ({
      limits: pairs[numbers[0]!]!.supplierOrder?.limits ?? null,
      pairs: numbers.map((number) => {
        const { supplierOrder: _, ...terms } = pairs[number]!
        return { number, terms }
      }),
    }))
}

async function whatWasKnown(
  { histories, pairs }: Pick<Past, 'histories' | 'pairs'>,
  { start, days }: Window,
  { ofPair: locationOfPair, sample, contextsAsOf }: Locations,
  workers: Workers,
  report: (what: string) => void,
) {
  const orderDays = new Set<number>(pairs.flatMap(({ planning }) => planning.orderDays ?? []))
  const reviews: (Review | null)[] = []
  const calibrations: (Calibration | null)[] = []
  for (let day = 0; day < days; day++) {
    const asOf = start + day
    if (day % WEEK && !orderDays.has(weekdayOf(toDate(asOf)))) {
      reviews.push(null)
      continue
    }
    const contexts = contextsAsOf(asOf)
    if (day % (WEEK * LEARNT_EVERY) === 0) {
      report(`learning what was known, week ${day / WEEK + 1} of ${days / WEEK}`)
      calibrations.push(await learn(workers, { histories, asOf, contexts, locationOfPair, sample }))
    }
    reviews.push({ contexts, calibration: calibrations.length - 1 })
  }
  return { reviews, calibrations }
}

/** How long past orders of each supplier took. */
function leadTimesOf({ pairs, lines }: Past): Record<string, LeadTimes> {
  const bySupplier = new Map<string, { ordered: EpochDay; days: Days }[]>()
  const { starts, ordered, received, quantities } = lines
  pairs.forEach(({ planning: { supplier } }, pair) => {
    if (!supplier) return
    for (let i = starts[pair]!; i < starts[pair + 1]!; i++) {
      const days = received[i]! - ordered[i]!
      if (!(quantities[i]! > 0) || !(days >= 0) || days === Infinity) continue
      const all = bySupplier.get(supplier) ?? []
      bySupplier.set(supplier, all)
      all.push({ ordered: ordered[i]!, days })
    }
  })
  return Object.fromEntries(
    [...bySupplier].map(([supplier, all]) => {
      all.sort((a, b) => a.ordered - b.ordered || a.days - b.days)
      const of = (name: 'ordered' | 'days') => Int32Array.from(all, (each) => each[name])
      return [supplier, { ordered: of('ordered'), days: of('days') }]
    }),
  )
}
