// Overrides of forecasts, as the app shows and enters them.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import type { ForecastOverride } from '#cds-models/BuyerService'
import { type Predicate, visibleTo } from '../../domain/authority/index.ts'
import { isRefusal, toODataError } from '../../base/errors.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { addOverride, removeOverride } from '../../domain/plans/index.ts'
import { readValueAdded } from '../../domain/quality/index.ts'
import { today } from '../../base/time/days.ts'
import { hasMessage, message } from '../../base/texts/texts.ts'
import { mayApprove } from '../../base/roles.ts'
import { changeText } from './computed-elements.ts'
import { proposalIdOf as numberIn, readVisibleProposal } from './visible-proposal.ts'

type ShownOverride = Partial<ForecastOverride>

interface Input {
  sku?: string | null
  location?: string | null
  skuGroup?: string | null
  firstDay?: string | null
  lastDay?: string | null
  percent?: number | string | null
  units?: number | string | null
  reason?: string | null
}

interface Adjustment extends Input {
  allLocations?: boolean | null
  wholeGroup?: boolean | null
}

/** Registers the handlers of srv/doors/buyer/model/explore.cds. */
export function handleOverrides(service: cds.ApplicationService) {
  service.on('adjustForecast', 'Proposals', async (req: Request<Adjustment>) => {
    await add(req, await selectorsOf(service, req))
  })
  service.on('addOverride', 'ForecastOverrides', async (req: Request<Input>): Promise<unknown> => {
    const { sku, location, skuGroup } = req.data
    const ID = await add(req, { sku, location, skuGroup })
    return service.run(SELECT.one.from('BuyerService.ForecastOverrides').where({ ID }))
  })
  service.on('removeOverride', 'ForecastOverrides', async (req: Request) => {
    await told(() => removeOverride(Number(numberIn(req))))
  })
  service.after('READ', 'ForecastOverrides', async (result: unknown, { user }: Request) => {
    const rows = [result]
      .flat()
      .filter((row): row is ShownOverride => Boolean(row) && typeof row === 'object')
    for (const row of rows) {
      show(row)
      if ('sku' in row) row.skuText = row.sku ? plainCode(row.sku) : null
    }
    await showMeasured(rows, await visibleTo(user))
  })
}

async function selectorsOf(service: cds.ApplicationService, req: Request<Adjustment>) {
  const { ID } = await readVisibleProposal(service, req as Request)
  const row = (await service.run(
    SELECT.one
      .from('BuyerService.Proposals')
      .columns('sku', 'location', 'source', 'skuGroup')
      .where({ ID }),
  )) as { sku: string; location: string; skuGroup: string | null }
  const { allLocations, wholeGroup } = req.data
  const isGroup = wholeGroup && row.skuGroup
  return {
    ...(isGroup ? { skuGroup: row.skuGroup } : { sku: row.sku }),
    ...(!allLocations && { location: row.location }),
  }
}

/** Fiori elements sends an empty number as null, an empty text or 0. */
const numberOf = (value: number | string | null | undefined) =>
  value == null || value === '' ? null : Number(value)

async function add(req: Request<Input>, selectors: Partial<Input>) {
  const { data } = req
  const [percent, units] = [numberOf(data.percent), numberOf(data.units)]
  const { firstDay, lastDay, reason } = data
  const override = {
    ...selectors,
    ...{ firstDay: firstDay || null, lastDay: lastDay ?? '', reason: reason ?? '' },
    ...{
      percent: percent === 0 && units ? null : percent,
      units: units === 0 && percent !== null ? null : units,
    },
  }
  const { ID, concerns } = await told(() => addOverride(override))
  const key = concerns === 1 ? 'override_added_one' : 'override_added'
  req.notify({ code: 'adjusted', message: message(key, { count: concerns }) })
  return ID
}

/** Refusals in the language of the user. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code, options } = error
    const { key, args } = options.sentence ?? { key: KEYS[code] ?? code, args: {} }
    throw toODataError(error, hasMessage(key) ? message(key, args) : error.message)
  }
}

const KEYS: Record<string, string> = {
  not_found: 'override_not_found',
  insufficient_scope: 'override_not_yours',
}

/** Shows the error of the forecast and of the adjusted one: `120 as forecast, 80 adjusted (-33 %)`. */
async function showMeasured(rows: ShownOverride[], visible: Predicate | null) {
  const IDs = rows.flatMap(({ ID }) => ID ?? [])
  const valueOf = await readValueAdded(IDs, visible)
  for (const row of rows) {
    const value = row.ID == null ? null : valueOf(row.ID)
    Object.assign(row, { measured: null, measuredCriticality: 0 })
    if (!value) continue
    const { errorBefore: before, errorAfter: after } = value
    const percent = before ? Math.round(100 * (after / before - 1)) : null
    const change = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`
    const errors = { before: Math.round(before), after: Math.round(after) }
    row.measured = message('override_units_off', errors) + change
    row.measuredCriticality = after < before ? 3 : after > before ? 1 : 0
  }
}

const CRITICALITY = { ahead: 5, running: 3, over: 0 }

function show(row: ShownOverride) {
  if ('percent' in row) row.change = changeText(row.percent, row.units)
  if (!row.firstDay || !row.lastDay) return
  const day = today()
  const status = row.lastDay < day ? 'over' : row.firstDay > day ? 'ahead' : 'running'
  row.status = message(`override_state_${status}`)
  row.criticality = CRITICALITY[status]
  row.canRemove = mayApprove() && status !== 'over'
}
