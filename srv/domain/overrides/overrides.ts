import cds from '@sap/cds'
import type { Predicate } from '../authority/index.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import {
  ForecastOverrideCases,
  ForecastOverrides,
  PairPlanning,
  readAs,
} from '../../base/database/entities.ts'
import { noteForecastsChanged } from '../forecasts/lookup.ts'
import { OVERRIDE_COLUMNS, type OverrideRow, selected } from './stored.ts'
import { readValueAdded, type ValueAdded } from './stored.ts'
import { toPage } from '../../base/database/rows.ts'
import { DAY_MS, today } from '../../base/time/days.ts'

/** Days from the first to the last at most. */
const LONGEST = 366
/** Days from today to the last at most. */
const FARTHEST = 730
const MOST_PERCENT = 900
const MOST_UNITS = 1e9
const LONGEST_REASON = 200

type Override = Omit<OverrideRow, 'ID'>

/** As somebody enters it: what is left out is empty, and begins today. */
export type NewOverride = Pick<Override, 'lastDay' | 'reason'> & {
  [Name in keyof Override]?: Override[Name] | null
}

interface Row extends OverrideRow {
  createdAt: string
  createdBy: string
}

export interface OverrideQuery {
  filter?: { notBefore?: string | null } & Partial<Record<string, string | null>>
  /** The last ID seen. */
  after?: string | null
  limit: number
}

const COLUMNS = [...OVERRIDE_COLUMNS, 'createdAt', 'createdBy'] as const

/** What a user sees; null for all. */
export interface Visible {
  overrides: Predicate | null
  /** Of which alone it is told how far forecasts were off. */
  pairs: Predicate | null
}

/** Newest first. */
export async function listOverrides(
  { filter = {}, after, limit }: OverrideQuery,
  visible: Visible,
) {
  const { notBefore, ...equal } = filter
  const query = SELECT.from(ForecastOverrides)
    .columns(...COLUMNS)
    .limit(limit + 1)
  const given = Object.entries(equal).filter(([, value]) => value != null)
  if (given.length) void query.where(Object.fromEntries(given))
  if (notBefore) void query.where({ lastDay: { '>=': notBefore } })
  if (visible.overrides) void query.where(visible.overrides)
  if (after) void query.where({ ID: { '<': Number(after) } })
  const page = toPage(await readAs<Row>(query.orderBy('ID desc')), limit, ({ ID }) => ID)
  const valueOf = await readValueAdded(
    page.data.map(({ ID }) => ID),
    visible.pairs,
  )
  return { ...page, data: page.data.map((row) => withStatus(row, valueOf(row.ID))) }
}

/** @throws Refusal invalid_parameter */
export async function addOverride(given: NewOverride) {
  const { sku, location, skuGroup, firstDay, lastDay, percent = null, units = null } = given
  const override = {
    ...{ sku: sku ?? '', location: location ?? '', skuGroup: skuGroup ?? '' },
    ...{ firstDay: firstDay ?? today(), lastDay, percent, units, reason: given.reason.trim() },
  }
  checkOverride(override)
  const row = {
    ...{ ID: await takeNumbers('forecastOverride'), ...override },
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id ?? 'system',
  }
  await INSERT.into(ForecastOverrides).entries(row)
  await noteForecastsChanged()
  await writeAuditLog('override.added', objectOf(row.ID), textOf(override))
  return { ...withStatus(row), concerns: await countPairs(override) }
}

/** @throws Refusal not_found; invalid_request for one that is over, which stays as it was measured */
export async function removeOverride(ID: number) {
  const override = await findOverride(ID, ALL)
  if (override.status === 'over')
    throw new Refusal('invalid_request', `${objectOf(ID)} is over: it changes nothing any more.`, {
      sentence: { key: 'override_over', places: {} },
    })
  if (!(await DELETE.from(ForecastOverrides).where({ ID }))) throw unknown(ID)
  await DELETE.from(ForecastOverrideCases).where({ override: ID })
  await noteForecastsChanged()
  await writeAuditLog('override.removed', objectOf(ID), textOf(override))
  return override
}

const unknown = (ID: number) =>
  new Refusal('not_found', `There is no forecast override ${objectOf(ID)}.`)

const ALL: Visible = { overrides: null, pairs: null }

/** @throws Refusal not_found */
export async function findOverride(ID: number, visible: Visible) {
  const query = SELECT.from(ForecastOverrides)
    .columns(...COLUMNS)
    .where({ ID })
  if (visible.overrides) void query.where(visible.overrides)
  const [row] = await readAs<Row>(query)
  if (row) return withStatus(row, (await readValueAdded([ID], visible.pairs))(ID))
  throw unknown(ID)
}

const withStatus = (row: Row, valueAdded: ValueAdded | null = null) => ({
  ...row,
  ...{ status: statusOf(row), valueAdded },
})

function statusOf({ firstDay, lastDay }: Override): 'ahead' | 'running' | 'over' {
  const day = today()
  if (lastDay < day) return 'over'
  return firstDay > day ? 'ahead' : 'running'
}

function checkOverride({ firstDay, lastDay, percent, units, reason }: Override) {
  const day = today()
  if (firstDay < day) throw refused('from', `must not lie before today, ${day}`, { day })
  const span = { days: LONGEST, most: FARTHEST }
  if (lastDay < firstDay) throw refused('to', 'must not lie before from', span)
  if (lastDay > dayAfter(firstDay, LONGEST - 1))
    throw refused('to', `must lie within ${LONGEST} days of from`, span)
  if (lastDay > dayAfter(day, FARTHEST))
    throw refused('to', `must lie within ${FARTHEST} days of today`, span)
  if ((percent === null) === (units === null))
    throw refused('percent', 'must be given, or units; not both', { most: MOST_PERCENT })
  if (percent !== null && !(percent >= -100 && percent <= MOST_PERCENT))
    throw refused('percent', `must be a number from -100 to ${MOST_PERCENT}`, {
      most: MOST_PERCENT,
    })
  if (units !== null && !(units >= 0 && units <= MOST_UNITS))
    throw refused('units', `must be a number from 0 to ${MOST_UNITS}`, { most: MOST_UNITS })
  if (!reason || reason.length > LONGEST_REASON)
    throw refused('reason', `must say why, in up to ${LONGEST_REASON} characters`, {
      most: LONGEST_REASON,
    })
}

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** @param places of its sentence in _i18n, `override_<target>` */
const refused = (target: string, what: string, places: Record<string, unknown>) =>
  new Refusal('invalid_parameter', `${target}: ${what}`, {
    target,
    sentence: { key: `override_${target}`, places },
  })

/** SKUs at locations that it concerns now. */
async function countPairs({ sku, location, skuGroup: group }: Override): Promise<number> {
  const row = await readAs<{ pairs: number }>(
    SELECT.one
      .from(PairPlanning)
      .columns('count(*) as pairs')
      .where(selected({ sku, location, group })),
  )
  return Number(row!.pairs)
}

const objectOf = (ID: number) => `ovr_${ID}`

/** `+20 %, 2026-12-01 to 2026-12-07, sku A-100: trade fair` */
function textOf({ percent, units, firstDay, lastDay, reason, ...names }: Override): string {
  const { sku, location, skuGroup: group } = names
  const said = Object.entries({ sku, location, group })
    .filter(([, value]) => value)
    .map(([word, value]) => `, ${word} ${value}`)
  const change = percent === null ? `${units} units` : `${percent < 0 ? '' : '+'}${percent} %`
  return `${change}, ${firstDay} to ${lastDay}${said.join('')}: ${reason}`
}
