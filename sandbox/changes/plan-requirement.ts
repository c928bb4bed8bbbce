import { dayOf, toMs } from '../world/days.ts'
import { decimal } from '../world/decimal.ts'
import type { World } from '../world/world.ts'
import { assertExists } from './assert-exists.ts'
import type { Change } from './change.ts'

type PlanRequirement = Extract<Change, { kind: 'planRequirement' }>

/** Plans, changes or removes the requirements of one period. */
export function planRequirement(world: World, change: PlanRequirement): void {
  const { sku, location, from, quantity, period = 'M', version = '00', isActive = true } = change
  const pair = assertExists(world.pairs.find(sku, location), `${sku} at ${location}`)
  const key = {
    Product: sku,
    Plant: location,
    MRPArea: location,
    PlndIndepRqmtType: 'VSF',
    PlndIndepRqmtVersion: version,
    RequirementPlan: change.requirementPlan ?? '',
    RequirementSegment: '',
  }
  world.patches.put('PlannedIndepRqmt', key, { PlndIndepRqmtIsActive: isActive ? 'X' : '' })
  const day = toMs(dayOf(from))
  const itemKey = { ...key, PlndIndepRqmtPeriod: from.replaceAll('-', ''), PeriodType: period }
  const item = {
    PlndIndepRqmtPeriodStartDate: day,
    WorkingDayDate: day,
    LastChangeDate: toMs(world.clock.today()),
    LastChangedByUser: 'PLANNER',
    UnitOfMeasure: world.baseUnits[world.pairs.skuOf(pair)]!,
    WithdrawalQuantity: '0.000',
  }
  world.patches.put(
    'PlannedIndepRqmtItem',
    itemKey,
    quantity === null ? null : { ...item, PlannedQuantity: decimal(Math.round(quantity * 1000)) },
  )
}
