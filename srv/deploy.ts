// `npm run deploy`: makes the schema of a PostgreSQL database, or upgrades it in place, and ends. CAP's own `cds-deploy`
// stops at databases of former versions (srv/cap/deployed-model.ts).
import cds from '@sap/cds'
import { facade } from './cap/facade.ts'
import { forgetUnstoredEntities } from './cap/deployed-model.ts'

await facade.plugins
const { kind } = cds.env.requires.db as { kind: string }
if (kind !== 'postgres') {
  cds.log('deploy').error(`deploy is for PostgreSQL; the configured database is ${kind}.`)
  process.exit(1)
}
forgetUnstoredEntities()
const db = await facade.deploy('*').to(await cds.connect.to('db'))
await db.disconnect()
