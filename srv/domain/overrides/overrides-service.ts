import cds, { type Request } from '@sap/cds'
import { assertMaySetPolicy, visiblePlannedEvents, visibleTo } from '../authority/index.ts'
import { send } from '../../base/cap/context.ts'
import { recomputeProposals } from '../proposals/index.ts'
import {
  addOverride,
  findOverride,
  listOverrides,
  type NewOverride,
  type OverrideQuery,
  removeOverride,
  type Visible,
} from './overrides.ts'

type About = Request<{ ID: number }>
type Selectors = Pick<NewOverride, 'sku' | 'location' | 'skuGroup'>

export default class OverridesService extends cds.ApplicationService {
  override async init() {
    this.on('list', async ({ data, user }: Request<OverrideQuery>) =>
      listOverrides(data, await visibleOf(user)),
    )
    this.on('find', async ({ data, user }: About) => findOverride(data.ID, await visibleOf(user)))
    this.before('add', ({ data, user }: Request<{ override: NewOverride }>) =>
      assertMaySetPolicy(user, data.override),
    )
    this.before('remove', async ({ data, user }: About) =>
      assertMaySetPolicy(user, await findOverride(data.ID, await visibleOf(user))),
    )
    this.on('add', async (req: Request<{ override: NewOverride }>) => {
      const override = await addOverride(req.data.override)
      req.on('succeeded', () => void proposeAnew(override, override.ID))
      return override
    })
    this.on('remove', async (req: About) => {
      const override = await removeOverride(req.data.ID)
      req.on('succeeded', () => void proposeAnew(override))
    })
    return super.init()
  }
}

const visibleOf = async (user: Request['user']): Promise<Visible> => ({
  overrides: visiblePlannedEvents(user),
  pairs: await visibleTo(user),
})

const LOG = cds.log('forecasting')

/** The forecasts themselves stay as they are. @param added a new override, to be measured once its days are over */
async function proposeAnew({ sku, location, skuGroup }: Selectors, added?: number) {
  const forecasting = await cds.connect.to('ForecastingService')
  await forecasting.emit('refreshed', { source: null })
  void recomputeProposals({ sku, location, skuGroup })
  if (added === undefined) return
  await send('ForecastingService', 'keepOverridden', { ID: added }).catch((error) =>
    LOG.error(`ovr_${added} could not be kept to be measured:`, error),
  )
}
