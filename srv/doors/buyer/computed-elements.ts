// Elements that no table stores: texts in the user's language, and what the user may do with a row.
import cds from '@sap/cds'
import type { Event, Proposal } from '#cds-models/BuyerService'
import { type ForecastAnswer, MAX_HORIZON_DAYS, type MissingData } from '../../../engine/index.ts'
import type { Calculation } from '../../../engine/proposal/index.ts'
import {
  type AnyEntity,
  Locations,
  Skus,
  Sources,
  Suppliers,
} from '../../base/database/entities.ts'
import { codeAndName } from '../../base/texts/codes.ts'
import { type BlockedText, blockedText, rationaleIn } from '../../base/texts/sentences.ts'
import { codeNames, message, namesIn, written } from '../../base/texts/texts.ts'
import { readAllLocalDays } from '../../base/time/days.ts'
import { mayApprove } from '../../base/roles.ts'
import { lookUpForecasts } from '../../domain/forecasts/index.ts'
import {
  allowsStep,
  initialStatus,
  isSmall,
  needsThought,
  type Recommendation,
  type Step,
} from '../../domain/proposals/index.ts'
import { CAME_FROM, CHANGED_FROM, whatChanged } from './what-changed.ts'

export type ShownProposal = Partial<Proposal>

/** The element that enables a button of the app, and its step of the state machine. */
const STEPS: [keyof ShownProposal & `can${string}`, Step][] = [
  ['canApprove', 'approve'],
  ['canReject', 'decline'],
  ['canSnooze', 'snooze'],
  ['canCancel', 'cancel'],
]

/** The elements from which each computed one is made. */
export const SOURCE_ELEMENTS = {
  exceptionsText: 'exceptions',
  driversText: 'drivers',
  measuredLeadTime: 'further',
  forecastAdjusted: 'further',
  censoredShare: 'sku,location,horizonDays',
  missingData: 'sku,location,horizonDays',
  buys: 'ID,quantity,valueAtRisk,currency',
  canAdjust: 'status',
  ...{ canApprove: 'status', canReject: 'status', canSnooze: 'status', canCancel: 'status' },
  forecastText: 'p50,p10,p90',
  rationale:
    'p50,horizonDays,onHand,onOrder,openProposals,targetStock,targetQuantile,netRequirement,' +
    'leadTimeDays,reviewPeriodDays,moq,lotSize,calculatedQuantity,drivers,further,fromLocation',
  ...{ skuName: 'sku,source', unit: 'sku,source', skuGroup: 'sku,source' },
  orderedAs: 'quantity,unitCost,sku,location,source,supplier',
  contract: 'ID,kind,status,sku,location,source,supplier,quantity,currency',
  ...{ locationName: 'location,source' },
  locationText: 'location,source,locationName',
  supplierName: 'supplier,source,kind,fromLocation',
  supplierOrder: 'supplier,source,kind',
  skuText: 'sku,source,skuName',
  supplierText: 'supplier,supplierName',
  dataAsOf: 'source',
  responsible: 'source,sku,location,supplier',
  isDueToday: 'status,orderBy,location,source',
  isSmall: 'status,value,valueAtRisk',
  needsThought: 'value,p10,p90,changed',
  thoughtMark: 'value,p10,p90,changed',
  changed: CHANGED_FROM,
  message: 'kind,quantity,document,promisedOn,wantedOn,facts',
  canSettle: 'settledAt',
  reason: 'facts,missing',
  whatCame: CAME_FROM,
}

export async function addComputedElements(rows: ShownProposal[]) {
  const exceptionName = await codeNames('ProposalExceptions')
  const driverName = await codeNames('ProposalDrivers')
  const reasonName = await codeNames('RejectionReasons')
  for (const row of rows) {
    if ('exceptions' in row) row.exceptionsText = namesIn(row.exceptions, exceptionName)
    if ('drivers' in row) row.driversText = namesIn(row.drivers, driverName)
    if ('value' in row && 'p90' in row) {
      row.needsThought = needsThought(row)
      row.thoughtMark = row.needsThought ? 2 : 0
    }
    if ('changed' in row) row.changed = whatChanged(row)
    if ('status' in row && 'valueAtRisk' in row)
      row.isSmall = row.status === initialStatus() && isSmall(row)
    if ('newer' in row) row.newer = newerText(row.newer)
    if (row.recommendation) row.recommendation = recommendationText(row.recommendation, reasonName)
    if ('further' in row) row.measuredLeadTime = measuredLeadTimeText(row.further)
    if ('further' in row) row.forecastAdjusted = adjustedText(row.further)
    if ('p50' in row && 'p10' in row) row.forecastText = forecastText(row)
    if ('rationale' in row) row.rationale = rationaleText(row)
    if (row.sku) row.skuText = codeAndName(row.sku, row.skuName)
    if (row.location) row.locationText = codeAndName(row.location, row.locationName)
    if (row.kind === 'transfer' && 'supplierName' in row)
      row.supplierName = message('supplier_of_transfer', { from: row.fromLocation })
  }
  const isDecider = mayApprove()
  for (const row of rows) {
    if (row.status) row.canAdjust = isDecider
    if (row.status)
      for (const [name, step] of STEPS) row[name] = isDecider && allowsStep(row.status, step)
  }
}

/** Adds `isDue`, by the same condition as the filter. @param requested elements; undefined for all */
export async function addIsDue(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (!rows.length || (requested && !requested.has('isDueToday'))) return
  const days = await readAllLocalDays()
  for (const row of rows) {
    const today = days.get(Number(row.source))?.of(row.location ?? '')
    const isDue = Boolean(row.orderBy && today && row.orderBy <= today)
    row.isDueToday = row.status === initialStatus() && isDue
  }
}

const forecastText = ({ p50, p10, p90 }: ShownProposal) =>
  `${written(Number(p50))} (${written(Number(p10))}–${written(Number(p90))})`

function newerText(newer: string | null | undefined) {
  if (!newer) return null
  const { quantity } = JSON.parse(newer) as { quantity: number }
  return quantity ? message('newer_order', { quantity }) : message('newer_none')
}

/** What a key recommends, and about which version, since the numbers may have changed. */
function recommendationText(json: string, nameOf: (code: string | null) => unknown) {
  const { action, quantity, reason, ...said } = JSON.parse(json) as Recommendation
  const what = quantity === null ? (reason && nameOf(reason)) || '–' : written(quantity)
  return message(`recommended_${action}`, { ...said, what: String(what) })
}

/** The measured lead time, beside the planned one. */
function measuredLeadTimeText(further: string | null | undefined) {
  const { leadTimeMeasured } = JSON.parse(further ?? '{}') as Partial<Calculation>
  if (!leadTimeMeasured) return null
  const { of, days, deviationDays, shareLate, receipts } = leadTimeMeasured
  const measured = message(`lead_time_of_${of}`, {
    days,
    deviation: deviationDays,
    receipts,
  })
  if (shareLate === null) return measured
  return `${measured}, ${message('lead_time_late', { percent: Math.round(shareLate * 100) })}`
}

/** The overrides that adjust the forecast. */
function adjustedText(further: string | null | undefined) {
  const { forecastOverride } = JSON.parse(further ?? '{}') as Partial<Calculation>
  if (!forecastOverride) return null
  const { changes, p10, p50, p90 } = forecastOverride
  const told = changes.map(
    ({ percent, units, reason }) => `${changeText(percent, units)}: ${reason}`,
  )
  return message('forecast_adjusted', { changes: told.join(', '), p10, p50, p90 })
}

/** `+20 %`, `to 500` */
export const changeText = (percent: number | null | undefined, units: number | null | undefined) =>
  percent == null
    ? message('forecast_change_units', { units })
    : message('forecast_change', { percent: `${percent > 0 ? '+' : ''}${written(percent)}` })

/** Elements of a calculation that are numbers. */
const NUMERIC_COLUMNS = [
  ...['p50', 'horizonDays', 'onHand', 'onOrder', 'openProposals', 'targetStock', 'targetQuantile'],
  ...['netRequirement', 'leadTimeDays', 'reviewPeriodDays', 'moq', 'lotSize'],
] as (keyof ShownProposal)[]

function rationaleText(row: ShownProposal) {
  const { rationale, further, fromLocation = null } = row
  if (!rationale || NUMERIC_COLUMNS.some((name) => !(name in row))) return rationale
  const calculation = {
    ...Object.fromEntries(NUMERIC_COLUMNS.map((name) => [name, Number(row[name])])),
    quantity: Number(row.calculatedQuantity),
    drivers: row.drivers?.split(',') ?? [],
    ...JSON.parse(further ?? '{}'),
  } as Calculation
  return rationaleIn(cds.context?.locale ?? 'en', { calculation, fromLocation })
}

interface BlockedRow extends BlockedText {
  sku?: string
  skuName?: string | null
  skuText?: string
}

/** Why pairs are blocked, in the language of the user. */
export function showBlocked(rows: BlockedRow[]) {
  for (const row of rows) {
    if ('reason' in row) row.reason = blockedText(row)
    if (row.sku) row.skuText = codeAndName(row.sku, row.skuName)
  }
}

/** The comment of a rejection is the code of its reason. */
export async function addReasonNames(rows: Partial<Event>[]) {
  const nameOf = await codeNames('RejectionReasons')
  for (const row of rows) if (row.event === 'rejected') row.comment = nameOf(row.comment)
}

// Texts about the data of forecasts: days without stock, and missing data.

/** @param requested the elements that the query selects: where it names neither, nothing is looked up */
export async function addForecastTexts(rows: ShownProposal[], requested: Set<string> | undefined) {
  if (!rows.length) return
  if (!requested?.has('censoredShare') && !requested?.has('missingData')) return
  for (const [horizon, those] of Map.groupBy(rows, horizonOf)) {
    const pairs = those.map(({ sku, location }) => ({ sku: sku!, location: location! }))
    const answers = await lookUpForecasts(pairs, horizon)
    those.forEach((row, at) => {
      const forecast = answers[at]?.forecast
      row.censoredShare = forecast ? shareText(forecast) : null
      row.missingData = forecast ? missingText(forecast.missing) : null
    })
  }
}

/** @returns null for the configured horizon */
const horizonOf = ({ horizonDays }: ShownProposal) =>
  horizonDays ? Math.min(MAX_HORIZON_DAYS, horizonDays) : null

function shareText({ censoredShare: share, missing }: ForecastAnswer) {
  if (share > 0) return message('censored_share', { percent: Math.round(1000 * share) / 10 })
  return missing.some(({ code }) => code === 'stock_history')
    ? message('censored_share_unknown')
    : message('censored_share_none')
}

const missingText = (missing: readonly MissingData[]) =>
  missing.length
    ? missing.map(({ code, days }) => message(`missing_${code}`, { days })).join('; ')
    : message('missing_nothing')

// Names of SKUs, locations and suppliers, and how old a source's data are: looked up by key for the rows of one answer.

type NamedRow = Partial<Record<Lookup['key'] | 'source' | 'dataAsOf', unknown>>

interface Lookup {
  entity: AnyEntity
  /** The key element, which has the same name in proposals and master data. */
  key: 'sku' | 'location' | 'supplier'
  /** Columns of the master data by the element of the proposal that shows them. */
  columns: Record<string, string>
}

const NAME_LOOKUPS: Lookup[] = [
  {
    entity: Skus,
    key: 'sku',
    columns: { skuName: 'name', unit: 'unit', skuGroup: 'skuGroup' },
  },
  { entity: Locations, key: 'location', columns: { locationName: 'name' } },
  { entity: Suppliers, key: 'supplier', columns: { supplierName: 'name' } },
]

/** The elements that contain a name, by the name's. */
const TEXTS_WITH: Record<string, string> = { skuName: 'skuText', locationName: 'locationText' }

/** @param requested the elements that the query selects; undefined for all */
export async function addNames(rows: NamedRow[], requested: Set<string> | undefined) {
  const isRequested = (name: string) =>
    !requested || requested.has(name) || requested.has(TEXTS_WITH[name] ?? name)
  for (const lookup of NAME_LOOKUPS) {
    if (Object.keys(lookup.columns).some(isRequested)) {
      await addNamesFrom(lookup, rows, isRequested)
    }
  }
}

export type WithSupplierName<T> = T & { supplierName: string | null }

export async function withSupplierNames<T extends NamedRow>(rows: T[]) {
  const named = rows.map((row): WithSupplierName<T> => ({ ...row, supplierName: null }))
  await addNames(named, new Set(['supplierName']))
  return named
}

/** The day up to which the data of a row's source reach. */
export async function addDataAsOf(rows: NamedRow[], requested: Set<string> | undefined) {
  if (!rows.length || (requested && !requested.has('dataAsOf'))) return
  const sources = await SELECT.from(Sources)
    .columns('ID', 'dataAsOf')
    .where({ ID: { in: sourcesOf(rows) } })
  const dayOf = new Map(sources.map(({ ID, dataAsOf }) => [ID, dataAsOf]))
  for (const row of rows) row.dataAsOf = dayOf.get(Number(row.source)) ?? null
}

async function addNamesFrom(
  { entity, key, columns }: Lookup,
  rows: NamedRow[],
  isRequested: (name: string) => boolean,
) {
  const named = rows.filter((row) => row[key] !== undefined && row.source !== undefined)
  const keys = [...new Set(named.map((row) => row[key]))].filter((value) => value !== null)
  const found = keys.length
    ? await SELECT.from(entity)
        .columns('source_ID', key, ...new Set(Object.values(columns)))
        .where({ source_ID: { in: sourcesOf(named) }, [key]: { in: keys } })
    : []
  const keyOf = (source: unknown, value: unknown) => `${source} ${value}`
  const masterByKey = new Map(found.map((row) => [keyOf(row.source_ID, row[key]), row]))
  for (const row of named) {
    const master = masterByKey.get(keyOf(row.source, row[key]))
    for (const [name, column] of Object.entries(columns)) {
      if (isRequested(name)) Object.assign(row, { [name]: master?.[column] ?? null })
    }
  }
}

const sourcesOf = (rows: NamedRow[]) => [...new Set(rows.map(({ source }) => Number(source)))]
