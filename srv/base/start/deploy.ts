// `npm run deploy`: makes the schema of a PostgreSQL database, or upgrades it in place, and ends. CAP's own `cds-deploy`
// stops at databases of former versions (srv/base/cap/deployed-model.ts). `-- --service-user <name>`: another user than the
// schema's owner runs the service, and is granted what that needs.
import '../log/guard.ts'
import './first-process.ts'
import './typescript.ts'
import '../cap/log.ts'
import { parseArgs } from 'node:util'
import cds from '@sap/cds'
import { plainConnectionFault } from '../database/database-encryption.ts'
import { facade } from '../cap/facade.ts'
import { forgetUnstoredEntities } from '../cap/deployed-model.ts'
import { isProduction } from '../settings/config.ts'
import { grantToService } from '../database/grants.ts'
import { assertMayDeploy, noteDeployment } from '../database/release.ts'

const { 'service-user': serviceUser } = parseArgs({
  options: { 'service-user': { type: 'string' } },
}).values
await facade.plugins
const { kind } = cds.env.requires.db as { kind: string }
const fault =
  kind === 'postgres'
    ? isProduction() && plainConnectionFault()
    : `deploy is for PostgreSQL; the configured database is ${kind}.`
if (fault) {
  cds.log('deploy').error(fault)
  process.exit(1)
}
forgetUnstoredEntities()
const db = await cds.connect.to('db')
await assertMayDeploy(db).catch((error: Error) => {
  cds.log('deploy').error(error.message)
  process.exit(1)
})
const deployed = await facade.deploy('*').to(db)
await noteDeployment(db)
if (serviceUser) await cds.tx(() => grantToService(db, serviceUser))
await deployed.disconnect()
