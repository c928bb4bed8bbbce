// API_PLND_INDEP_RQMT_SRV: the planned independent requirements that changes have made.
import { objectSet } from '../odata/object-set.ts'
import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const KEYS =
  'Product Plant MRPArea PlndIndepRqmtType PlndIndepRqmtVersion RequirementPlan RequirementSegment'
const NO_ROWS = { size: () => 0, build: (): Row => ({}) }

export const plannedRequirements = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'PlannedIndepRqmt',
      keys: KEYS,
      fields:
        `${KEYS} PlndIndepRqmtInternalID PlndIndepRqmtIsActive WBSElement PlndIndepRqmtAcctAssgmtCat` +
        '|Boolean: RequirementPlanIsExternal|DateTimeOffset: PlndIndepRqmtLastChgdDateTime',
      ...NO_ROWS,
    },
    patches,
  ),
  objectSet(
    {
      name: 'PlannedIndepRqmtItem',
      keys: `${KEYS} PlndIndepRqmtPeriod PeriodType`,
      fields:
        `${KEYS} PlndIndepRqmtPeriod PeriodType PlndIndepRqmtInternalID UnitOfMeasure LastChangedByUser` +
        '|DateTime: PlndIndepRqmtPeriodStartDate WorkingDayDate LastChangeDate' +
        '|Decimal: PlannedQuantity WithdrawalQuantity|DateTimeOffset: PlndIndepRqmtLastChgdDateTime',
      ...NO_ROWS,
    },
    patches,
  ),
]
