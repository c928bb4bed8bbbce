import cds from '@sap/cds'
import { afterCommit, inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import {
  ForecastOverrideCases,
  ForecastOverrides,
  PairPlanning,
  readAs,
} from '../../base/database/entities.ts'
import { newestPage } from '../../base/database/rows.ts'
import { Refusal } from '../../base/errors.ts'
import { DAY_MS, today } from '../../base/time/days.ts'
import {
  assertMaySetPolicy,
  type Predicate,
  visiblePlannedEvents,
  visibleTo,
} from '../authority/index.ts'
import {
  noteForecastsChanged,
  OVERRIDE_COLUMNS,
  type OverrideRow,
  selected,
} from '../forecasts/index.ts'
import { recomputeProposals } from '../proposals/index.ts'
import { keepNewOverride, readValueAdded, type ValueAdded } from '../quality/index.ts'
import { conditionsOf, type PlansQuery } from './calendar.ts'

const LOG = cds.log('forecasting')
/** The longest override, in days. */
const LONGEST = 366
/** The farthest last day, in days from today. */
const FARTHEST = 730
const MOST_PERCENT = 900
const MOST_UNITS = 1e9
const LONGEST_REASON = 200

type Override = Omit<OverrideRow, 'ID'>

/** An override as it is entered; the first day defaults to today, everything else to empty. */
type NewOverride = Pick<Override, 'lastDay' | 'reason'> & {
  [Name in keyof Override]?: Override[Name] | null
}

interface StoredOverride extends OverrideRow {
  createdAt: string
  createdBy: string
}

export interface ForecastOverride extends StoredOverride {
  status: 'ahead' | 'running' | 'over'
  /** Measured after its last day; null before. */
  valueAdded: ValueAdded | null
  /** For a new override: the number of SKUs at locations that it concerns. */
  concerns?: number
}

const COLUMNS = [...OVERRIDE_COLUMNS, 'createdAt', 'createdBy'] as const

/** Conditions on what a user sees; null for everything. */
interface Visible {
  overrides: Predicate | null
  /** The pairs whose forecast errors the user may see. */
  pairs: Predicate | null
}

async function visibleNow(): Promise<Visible> {
  const { user } = cds.context!
  return { overrides: visiblePlannedEvents(user), pairs: await visibleTo(user) }
}

/** Newest first. */
export const listOverrides = ({ filter, ...asked }: PlansQuery) =>
  inTransaction(async () => {
    const visible = await visibleNow()
    const query = SELECT.from(ForecastOverrides).columns(...COLUMNS)
    const conditions = [...conditionsOf(filter), visible.overrides]
    const page = await newestPage<StoredOverride>(query, asked, ...conditions)
    const valueOf = await readValueAdded(
      page.data.map(({ ID }) => ID),
      visible.pairs,
    )
    return { ...page, data: page.data.map((row) => withStatus(row, valueOf(row.ID))) }
  })

/** Adds an override; the proposals that it concerns are recalculated in the background. @throws Refusal invalid_parameter */
export const addOverride = (given: NewOverride) =>
  inTransaction(async (): Promise<ForecastOverride> => {
    const { user } = cds.context!
    await assertMaySetPolicy(user, given)
    const override = {
      sku: given.sku ?? '',
      location: given.location ?? '',
      skuGroup: given.skuGroup ?? '',
      firstDay: given.firstDay ?? today(),
      lastDay: given.lastDay,
      percent: given.percent ?? null,
      units: given.units ?? null,
      reason: given.reason.trim(),
    }
    checkOverride(override)
    const row = {
      ...override,
      ID: await takeNumbers('forecastOverride'),
      createdAt: new Date().toISOString(),
      createdBy: user.id,
    }
    await INSERT.into(ForecastOverrides).entries(row)
    await noteForecastsChanged()
    await writeAuditLog('override.added', objectOf(row.ID), textOf(override))
    afterCommit(() => proposeAnew(override, row.ID))
    return { ...withStatus(row), concerns: await countPairs(override) }
  })

/** @throws Refusal not_found; invalid_request for one that is over, which stays as it was measured */
export const removeOverride = (ID: number) =>
  inTransaction(async () => {
    const override = await findOverride(ID)
    await assertMaySetPolicy(cds.context!.user, override)
    if (override.status === 'over')
      throw new Refusal(
        'invalid_request',
        `${objectOf(ID)} is over: it changes nothing any more.`,
        { sentence: { key: 'override_over', args: {} } },
      )
    if (!(await DELETE.from(ForecastOverrides).where({ ID }))) throw unknown(ID)
    await DELETE.from(ForecastOverrideCases).where({ override: ID })
    await noteForecastsChanged()
    await writeAuditLog('override.removed', objectOf(ID), textOf(override))
    afterCommit(() => proposeAnew(override))
  })

/**
 * Recalculates the proposals; the forecasts themselves stay as they are.
 * @param added a new override, to be measured after its last day
 */
async function proposeAnew({ sku, location, skuGroup }: Override, added?: number) {
  void recomputeProposals({ sku, location, skuGroup })
  if (added === undefined) return
  await keepNewOverride(added).catch((error) =>
    LOG.error(`ovr_${added} could not be kept to be measured:`, error),
  )
}

const unknown = (ID: number) =>
  new Refusal('not_found', `There is no forecast override ${objectOf(ID)}.`)

/** @throws Refusal not_found */
export const findOverride = (ID: number) =>
  inTransaction(async () => {
    const visible = await visibleNow()
    const query = SELECT.from(ForecastOverrides)
      .columns(...COLUMNS)
      .where({ ID })
    if (visible.overrides) void query.where(visible.overrides)
    const [row] = await readAs<StoredOverride>(query)
    if (!row) throw unknown(ID)
    return withStatus(row, (await readValueAdded([ID], visible.pairs))(ID))
  })

const withStatus = (
  row: StoredOverride,
  valueAdded: ValueAdded | null = null,
): ForecastOverride => ({
  ...row,
  status: statusOf(row),
  valueAdded,
})

function statusOf({ firstDay, lastDay }: Override) {
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

/** @param args the values of its sentence `override_<target>` in _i18n */
const refused = (target: string, what: string, args: Record<string, string | number>) =>
  new Refusal('invalid_parameter', `${target}: ${what}`, {
    target,
    sentence: { key: `override_${target}`, args },
  })

/** The number of SKUs at locations that an override concerns. */
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
