// The ABC class of each pair that is bought, by the value of its demand of the past year.
import { setImmediate as turn } from 'node:timers/promises'
import cds from '@sap/cds'
import { type AbcClass, abcClasses } from '../../../../engine/index.ts'
import { addDays } from '../../../../engine/proposal/index.ts'
import { runDetached } from '../../../base/cap/context.ts'
import {
  DemandRows,
  PairPlanning,
  Proposals,
  readAs,
  Series,
  Sources,
} from '../../../base/database/entities.ts'
import { blocksOf } from '../../../base/database/native/index.ts'
import { inChunks, oneOf } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { readLocalDays } from '../../../base/time/days.ts'
import { withSource } from '../../../base/work/source-turn.ts'
import { readRates } from '../../money/index.ts'
import { costOf } from '../explain/simulation-curve.ts'
import { openStatuses } from '../stored/flow.ts'

const DAYS = 365
/** Pairs that are read, and that are changed, at a time. */
const [READ, STORED] = [2_000, 1_000]

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
 * Others get a turn between any two reads, each of a part of the source.
 * @param asOf the first day that is not known yet
 */
export async function classifyPairs(source: number, asOf: string) {
  const rates = await readRates()
  const classed = new Map<number, AbcClass | null>()
  const costs = new Map<number, number>()
  for await (const row of pairsOf(source)) {
    const ID = Number(row.ID)
    classed.set(ID, row.abcClass)
    const cost = row.ledBy === null && row.purchasable ? costOf(row, rates) : null
    if (cost !== null) costs.set(ID, cost)
  }
  const demand = await readDemand(source, [...costs.keys()], asOf)
  const valued = [...costs].map(([ID, cost]) => ({
    ...{ ID, value: cost * Math.max(0, demand.get(ID) ?? 0) },
  }))
  valued.sort((a, b) => b.value - a.value || a.ID - b.ID)
  const { abcShareA: a, abcShareB: b } = settings()
  const values = valued.map(({ value }) => value)
  const classes = abcClasses(values, { a, b })
  const classOf = new Map(valued.map(({ ID }, at) => [ID, classes[at]!]))
  const changed = [...classed]
    .map(([ID, from]) => ({ ID, from, to: classOf.get(ID) ?? null }))
    .filter(({ from, to }) => from !== to)
  for (const [abcClass, pairs] of Map.groupBy(changed, ({ to }) => to))
    for (const chunk of inChunks(pairs, STORED)) {
      const series = chunk.map(({ ID }) => ID)
      await cds.tx(() => store(series, abcClass))
      await turn()
    }
}

/**
 * Classifies the pairs of sources of which none has a class, as of before there were classes: their next whole run may be a day
 * away. An error is logged and not thrown.
 */
export const classifyAtStart = () =>
  runDetached('classes', async () => {
    const sources = await SELECT.from(Sources).columns('ID').orderBy('ID')
    for (const { ID } of sources) if (!(await hasClasses(ID))) await classifyNow(ID)
  }).catch((error) => cds.log('proposals').error('pairs could not be classified:', error))

const hasClasses = (source: number) =>
  SELECT.one
    .from(Series)
    .columns('ID')
    .where({ source_ID: source, abcClass: { '!=': null } })

const classifyNow = (source: number) =>
  withSource(source, 'proposals', async () => {
    const { usual } = await readLocalDays(source)
    await classifyPairs(source, usual)
  })

/** In the order of their numbers. */
async function* pairsOf(source: number) {
  for (let after = 0; ;) {
    const rows = await readAs<Row>(
      SELECT.from(PairPlanning)
        .columns('ID', 'unitCost', 'currency', 'abcClass', 'ledBy', 'purchasable')
        .where({ source_ID: source, ID: { '>': after } })
        .orderBy('ID')
        .limit(READ),
    )
    yield* rows
    if (rows.length < READ) return
    after = Number(rows.at(-1)!.ID)
    await turn()
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
async function readDemand(source: number, pairs: readonly number[], asOf: string) {
  const successors = await SELECT.from(Series)
    .columns('ID', 'predecessors')
    .where({ source_ID: source, predecessors: { '!=': null }, takesOverOn: { '<=': asOf } })
  const series = [...pairs, ...successors.flatMap(({ predecessors }) => predecessors ?? [])]
  const units = new Map<number, number>()
  for (const block of blocksOf(series)) {
    const sums = await readAs<{ series: number; units: number | string }>(
      SELECT.from(DemandRows)
        .columns('series', 'sum(quantity) as units')
        .where({ block, date: { between: addDays(asOf, -DAYS), and: addDays(asOf, -1) } })
        .groupBy('series'),
    )
    for (const row of sums) units.set(Number(row.series), Number(row.units))
    await turn()
  }
  const own = new Map(units)
  for (const { ID, predecessors } of successors) {
    const before = (predecessors ?? []).reduce((sum, each) => sum + (own.get(each) ?? 0), 0)
    units.set(Number(ID), (own.get(Number(ID)) ?? 0) + before)
  }
  return units
}
