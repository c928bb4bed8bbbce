// What a source's stock comes to on a day, and on the first one of a month what it is planned to come to until the month ends.
import {
  costsOf,
  expectedDays,
  type ExpectedDays,
  type ProposalInput,
  type ProposalResult,
  usualDemand,
} from '../../../../engine/proposal/index.ts'
import { MeasuredMonths, MeasuredValues, readAs } from '../../../base/database/entities.ts'
import { inChunks } from '../../../base/database/rows.ts'
import type { PairInputs } from '../terms/pair-inputs.ts'

/** The sums of a location and group in a currency; the columns of restock.MeasuredValues. */
export type Measured = Group & Record<Sum, number>

interface Group {
  location: string
  skuGroup: string
  currency: string
}

/** How many months before the present one are kept. */
const KEPT_MONTHS = 60

const NONE = {
  ...{ pairDays: 0, uncostedDays: 0, stockoutDays: 0, unitsShort: 0 },
  ...{ stockValue: 0, shortageCost: 0, carryingCost: 0, demandValue: 0, shortValue: 0 },
  ...{ plannedPairDays: 0, plannedStockoutDays: 0, plannedUnitsShort: 0 },
  ...{ plannedStockValue: 0, plannedShortageCost: 0, plannedCarryingCost: 0 },
  ...{ plannedDemandValue: 0, plannedShortValue: 0 },
}
type Sum = keyof typeof NONE
const SUMS = Object.keys(NONE) as Sum[]

/** How many days a run plans; 0 where the month has been planned. Null where the day has been measured. */
export type Planned = number | null

export async function daysToPlan(source: number, day: string): Promise<Planned> {
  const month = await readMonth(source, day)
  if (month && month.lastDay! >= day) return null
  return month ? 0 : daysLeft(day)
}

/** The days of the month from this one on. */
const daysLeft = (day: string) => {
  const last = new Date(`${day.slice(0, 7)}-01`)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return last.getUTCDate() - Number(day.slice(8)) + 1
}

const readMonth = (source: number, day: string) =>
  SELECT.one
    .from(MeasuredMonths)
    .columns('lastDay', 'days')
    .where({ source_ID: source, month: day.slice(0, 7) })

/** Adds up the pairs of a chunk. */
export class DayOfPairs {
  readonly #groups = new Map<string, Measured>()
  readonly #planned: Planned

  constructor(planned: Planned) {
    this.#planned = planned
  }

  /** Pairs that cannot be ordered are left out, of the plan as of what came. */
  add(pair: PairInputs, input: ProposalInput, result: ProposalResult) {
    if (this.#planned === null || result.kind === 'blocked') return
    const group = this.#groupOf(pair)
    const price = costedBy(pair, input)
    const daily = usualDemand(input.forecast)
    const count = (days: number, { unitDays, stockoutDays }: ExpectedDays) => {
      const unitsShort = stockoutDays * daily
      return {
        ...{ pairDays: days, stockoutDays, unitsShort },
        stockValue: unitDays * price.unitCost,
        shortageCost: unitsShort * price.short,
        carryingCost: unitDays * price.carried,
        demandValue: days * daily * price.unitCost,
        shortValue: unitsShort * price.unitCost,
      }
    }
    const came = count(1, expectedDays(input, result.calculation, 1))
    for (const name of Object.keys(came) as (keyof typeof came)[]) group[name] += came[name]
    if (!pair.unitCost) group.uncostedDays++
    if (this.#planned === 0) return
    const planned = count(this.#planned, expectedDays(input, result.calculation, this.#planned))
    for (const name of Object.keys(planned) as (keyof typeof planned)[])
      group[`planned${name[0]!.toUpperCase()}${name.slice(1)}` as Sum] += planned[name]
  }

  #groupOf({ location, skuGroup, unitCost, currency }: PairInputs): Measured {
    const key = { location, skuGroup: skuGroup ?? '', currency: (unitCost && currency) || '' }
    const name = JSON.stringify(key)
    const known = this.#groups.get(name) ?? { ...key, ...NONE }
    this.#groups.set(name, known)
    return known
  }

  get groups(): Measured[] {
    return [...this.#groups.values()]
  }
}

/** What a unit is worth, costs when it is short, and costs to carry for a day. */
function costedBy(pair: PairInputs, input: ProposalInput) {
  const unitCost = Number(pair.unitCost ?? 0)
  const { stockoutRate = 0, carryingRate = 0 } = costsOf(input) ?? {}
  return { unitCost, short: unitCost * stockoutRate, carried: (unitCost * carryingRate) / 365 }
}

/** Adds a day to its month, in the caller's transaction: a day that another run has measured counts once. */
export async function addDay(source: number, day: string, groups: readonly Measured[]) {
  const of = { source_ID: source, month: day.slice(0, 7) }
  const ended = { source_ID: source, month: { '<': monthsBefore(of.month, KEPT_MONTHS) } }
  const before = await readMonth(source, day)
  if (before && before.lastDay! >= day) return
  await DELETE.from(MeasuredMonths).where(ended)
  await DELETE.from(MeasuredValues).where(ended)
  await UPSERT.into(MeasuredMonths).entries({
    ...of,
    ...(before ? {} : { firstDay: day, plannedDays: daysLeft(day) }),
    ...{ lastDay: day, days: Number(before?.days ?? 0) + 1 },
  })
  const stored = before ? await readAs<Measured>(SELECT.from(MeasuredValues).where(of)) : []
  const keyOf = ({ location, skuGroup, currency }: Group) =>
    JSON.stringify([location, skuGroup, currency])
  const sums = new Map(stored.map((row) => [keyOf(row), row]))
  const added = [...Map.groupBy(groups, keyOf).values()].map((those) => {
    const { location, skuGroup, currency } = those[0]!
    const all = [...those, sums.get(keyOf(those[0]!)) ?? NONE]
    const row = SUMS.map((name) => [name, all.reduce((sum, each) => sum + Number(each[name]), 0)])
    return { ...of, location, skuGroup, currency, ...(Object.fromEntries(row) as typeof NONE) }
  })
  for (const chunk of inChunks(added)) await UPSERT.into(MeasuredValues).entries(chunk)
}

/** @param month `YYYY-MM` */
export function monthsBefore(month: string, months: number): string {
  const [year, of] = month.split('-').map(Number)
  const at = year! * 12 + of! - 1 - months
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}
