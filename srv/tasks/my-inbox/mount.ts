import { beforePlugins } from '../../cap/facade.ts'
import { prepareV2 } from '../../cap/odata-v2-adapter.ts'
import { csrf } from './csrf.ts'

/** Before the service starts: the V2 adapter is a plugin, and must find this done. */
export const mountMyInbox = () =>
  beforePlugins((app) => {
    prepareV2(app, 'TASKPROCESSING')
    app.use('/odata/v4/TASKPROCESSING', csrf())
  })
