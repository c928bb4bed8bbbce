// The ABC class of each pair that is bought, by the value of its demand of the past year.
import cds from '@sap/cds'
import { type AbcClass, abcClasses } from '../../../../engine/index.ts'
import { addDays } from '../../../../engine/proposal/index.ts'
import {
  DemandRows,
  PairPlanning,
  Proposals,
  readAs,
  Series,
} from '../../../base/database/entities.ts'
import { blocksOf } from '../../../base/database/native/index.ts'
import { inChunks, oneOf } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { readRates } from '../../money/index.ts'
import { costOf } from '../explain/simulation-curve.ts'
import { openStatuses } from '../stored/flow.ts'

const DAYS = 365

interface Row {
  ID: number
  unitCost: number | string | null
  currency: string | null
  abcClass: AbcClass | null
  ledBy: number | null
  purchasable: boolean | number
}

/**
 * Classifies the pairs of a source among each other, in transactions of its own; those without a unit cost, and those that are
 * not bought, have no class. Open proposals get the class of their pair, decided ones keep the one that they were decided with.
 * @param asOf the first day that is not known yet
 */
export async function classifyPairs(source: number, asOf: string) {
  const rows = await readAs<Row>(
    SELECT.from(PairPlanning)
      .columns('ID', 'unitCost', 'currency', 'abcClass', 'ledBy', 'purchasable')
      .where({ source_ID: source })
      .orderBy('ID'),
  )
  const bought = rows.filter(({ ledBy, purchasable }) => ledBy === null && purchasable)
  const demand = await readDemand(source, bought, asOf)
  const rates = await readRates()
  const valued = bought.flatMap((row) => {
    const [cost, units] = [costOf(row, rates), demand.get(Number(row.ID)) ?? 0]
    return cost === null ? [] : [{ ID: Number(row.ID), value: cost * Math.max(0, units) }]
  })
  valued.sort((a, b) => b.value - a.value || a.ID - b.ID)
  const { abcShareA: a, abcShareB: b } = settings()
  const values = valued.map(({ value }) => value)
  const classes = abcClasses(values, { a, b })
  const classOf = new Map(valued.map(({ ID }, at) => [ID, classes[at]!]))
  const changed = rows
    .map((row) => ({ ID: Number(row.ID), from: row.abcClass, to: classOf.get(Number(row.ID)) }))
    .filter(({ from, to = null }) => from !== to)
  for (const chunk of inChunks(changed))
    for (const [abcClass = null, pairs] of Map.groupBy(chunk, ({ to }) => to)) {
      const series = pairs.map(({ ID }) => ID)
      await cds.tx(() => store(series, abcClass))
    }
}

async function store(series: number[], abcClass: AbcClass | null) {
  await UPDATE.entity(Series)
    .set({ abcClass })
    .where({ ID: oneOf(series) })
  await UPDATE.entity(Proposals)
    .set({ abcClass })
    .where({ series: oneOf(series), status: { in: openStatuses() } })
}

/** The units of the past year by series, with those of the SKUs that a pair takes over from. */
async function readDemand(source: number, rows: readonly Row[], asOf: string) {
  const successors = await SELECT.from(Series)
    .columns('ID', 'predecessors')
    .where({ source_ID: source, predecessors: { '!=': null }, takesOverOn: { '<=': asOf } })
  const series = [
    ...rows.map(({ ID }) => Number(ID)),
    ...successors.flatMap(({ predecessors }) => predecessors ?? []),
  ]
  const units = new Map<number, number>()
  for (const blocks of inChunks(blocksOf(series), BLOCKS)) {
    const sums = await readAs<{ series: number; units: number | string }>(
      SELECT.from(DemandRows)
        .columns('series', 'sum(quantity) as units')
        .where({ block: { in: blocks } })
        .where({ date: { between: addDays(asOf, -DAYS), and: addDays(asOf, -1) } })
        .groupBy('series'),
    )
    for (const row of sums) units.set(Number(row.series), Number(row.units))
  }
  const own = new Map(units)
  for (const { ID, predecessors } of successors) {
    const before = (predecessors ?? []).reduce((sum, each) => sum + (own.get(each) ?? 0), 0)
    units.set(Number(ID), (own.get(Number(ID)) ?? 0) + before)
  }
  return units
}

/** Read at a time: some ten thousand series. */
const BLOCKS = 40
