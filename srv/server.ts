// The composition root: what starts when, and who is given to whom. Nobody imports it.
import './base/log/guard.ts'
import './base/cap/log.ts'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import cds from '@sap/cds'
import type { Application } from 'express'
import { addMissingSourceTypes } from './doors/admin/sources.ts'
import {
  anchorWorker,
  noteRefusals,
  refusalWorker,
  sealWorker,
  trailWorker,
} from './domain/audit/index.ts'
import { endWithStarter } from './base/start/become.ts'
import { continueOnError, giveTurns, noteCalls } from './base/cap/batches.ts'
import { limitWaiting, prepareConnections } from './base/cap/connection-pool.ts'
import { keepSql } from './base/cap/kept-sql.ts'
import { runDetached } from './base/cap/context.ts'
import { beforePlugins, facade, listenAt } from './base/cap/facade.ts'
import { forgetUnstoredEntities, skipSameModel } from './base/cap/deployed-model.ts'
import { hasProvider } from './doors/identity/provider.ts'
import { useOpenId } from './doors/identity/use-openid.ts'
import { identityRouter, pagesNeedSession } from './doors/identity/routes.ts'
import { assertConfiguration, isProduction, settings } from './base/settings/config.ts'
import { ensureDemoKey, ensureDemoSource } from './doors/demo/demo.ts'
import { closePool } from './domain/forecasts/index.ts'
import {
  answerFault,
  asDeclared,
  guardConnections,
  notePassedProxy,
  nothingHere,
  refuseLargeBodies,
} from './base/http/guards.ts'
import { assertSafeStart, compareClocks, listeningHost } from './base/start/safe-start.ts'
import { greet, quietStart } from './base/start/greeting.ts'
import { healthRouter } from './base/http/health.ts'
import { limitAddress, limitReads, limitUnknown } from './base/http/rates.ts'
import { adviseCollector } from './base/start/garbage-collector.ts'
import { readBodies } from './base/odata/odata-bodies.ts'
import { hideFaults, refuseUnstorableTexts } from './base/odata/odata-faults.ts'
import { refuseMalformedPaths } from './base/odata/odata-paths.ts'
import { prepareCounters } from './base/database/counters.ts'
import {
  assertFileIsThere,
  databaseFile,
  holdFile,
  isFileHeld,
} from './base/database/database-file.ts'
import {
  assertMayWork,
  assertReleaseOfFile,
  keepNewerTables,
  noteRelease,
  readNotedModel,
} from './base/database/release.ts'
import { endForeignLeases } from './base/work/runs.ts'
import { housekeepingWorker, scheduleWorker } from './doors/schedules/start-due.ts'
import { drainBeforeDisconnect } from './base/cap/shutdown.ts'
import { resealSourcesAtStart } from './base/database/secrets/vault.ts'
import { consentRouter } from './doors/consent/consent.ts'
import {
  checkFilesOnThread,
  closeReading,
  refreshOutdated,
  syncWorker,
  watchWorker,
} from './domain/sync/index.ts'
import { taskWorkers } from './doors/tasks/task-workers.ts'
import { closeMetrics, isMeasured, measureCalls, serveMetrics } from './doors/metrics/index.ts'
import { prepareFeed } from './doors/tasks/feed/feed.ts'
import { mountMyInbox } from './doors/tasks/my-inbox/mount.ts'
import { taskCenterRouter } from './doors/tasks/task-center/index.ts'
import { appsRouter } from './doors/apps/apps.ts'
import { pagePolicy, sameOriginChanges, storeNothing } from './doors/apps/policy.ts'
import { surviveFailedCalls } from './base/cap/uncaught-errors.ts'
import { docsRouter } from './doors/v1/openapi.ts'
import { prepareCursorKey } from './doors/v1/http/page.ts'
import { v1Routers } from './doors/v1/index.ts'
import { confirmKey, issueKey, SCOPES, verifyKey } from './domain/keys/index.ts'
import { classifyAtStart } from './domain/proposals/index.ts'
import { assertDeployed, dropFromFile, upgradeRows } from './base/upgrade/index.ts'
import { deliveryWorkers, resealAtStart } from './domain/webhooks/index.ts'
import { chunkWorker } from './base/work/chunks.ts'
import { startWorkers, stopWorkers } from './base/work/worker.ts'

endWithStarter()
adviseCollector()
mountMyInbox()
refuseMalformedPaths()
surviveFailedCalls()
forgetUnstoredEntities()
skipSameModel(readNotedModel)
keepNewerTables()
assertConfiguration()
assertSafeStart()
quietStart()
useOpenId()
checkFilesOnThread()
// Libraries ask it, also where CDS_ENV alone says production.
if (isProduction()) process.env.NODE_ENV = 'production'
readBodies()
giveTurns()
hideFaults()
refuseUnstorableTexts()
facade.middlewares.add(limitReads(), { after: 'ctx_model' })

// Runs before what has been mounted so far.
beforePlugins((app) => {
  app.disable('x-powered-by')
  listenAt(app, listeningHost())
  app.set('trust proxy', trustedProxies())
  app.use(notePassedProxy((message) => cds.log('restock').warn(message)))
  if (isMeasured()) app.use(measureCalls)
  app.use(limitWaiting, noteCalls)
  app.use(asDeclared)
  app.use('/odata', storeNothing, assertFileIsThere)
  app.use(noteRefusals, refuseLargeBodies)
  app.use(['/odata', '/task-provider', '/api/task-provider'], limitUnknown())
})

cds.on('bootstrap', (app: Application) => {
  const { v1, agent } = v1Routers()
  app.use('/v1', v1)
  app.use('/mcp', agent)
  app.use('/docs', pagePolicy([], ["'none'"]), docsRouter())
  app.use(['/task-provider/v2', '/api/task-provider/v2'], taskCenterRouter())
  app.use('/health', healthRouter())
  app.use('/odata', sameOriginChanges, continueOnError)
  app.use(['/auth/login', '/auth/callback'], limitAddress('sign-in'))
  app.use('/auth', identityRouter(sameOriginChanges))
  app.use(pagesNeedSession)
  app.use(appsRouter())
  app.use('/oauth', consentRouter())
})

/** What stands before the service and names the caller's address; in production one proxy, such as a router. */
const trustedProxies = () => settings().trustProxy ?? (isProduction() ? 1 : false)

cds.on('connect', (service) => {
  if (service.name !== 'db') return
  prepareConnections(service)
  keepSql(service)
})

// eslint-disable-next-line @typescript-eslint/no-misused-promises -- CAP’s emit awaits its listeners.
cds.on('served', async () => {
  await assertMayWork()
  await assertDeployed()
  await compareClocks()
  await runDetached('upgrade', upgradeRows)
  await noteRelease()
  await prepareCounters()
  await addMissingSourceTypes()
  await prepareFeed()
  await prepareCursorKey()
  cds.app.use(nothingHere, answerFault)
})

// CAP awaits no listener of `listening`: a step that fails is logged here, and the service goes on.
cds.on('listening', ({ server }: { server: Server }) => {
  greet((server.address() as AddressInfo).port)
  startWork(server).catch((error) => cds.log('restock').error('The start is incomplete:', error))
})

async function startWork(server: Server) {
  drainBeforeDisconnect(server, [stopWorkers, closeReading, closePool, closeMetrics])
  if (isFileHeld()) await endForeignLeases()
  void resealSourcesAtStart()
  void resealAtStart()
  void classifyAtStart()
  startWorkers([chunkWorker, scheduleWorker, housekeepingWorker, syncWorker, watchWorker])
  startWorkers([refusalWorker, trailWorker, sealWorker, anchorWorker])
  startWorkers([...deliveryWorkers, ...taskWorkers])
  await serveMetrics()
  if (!isProduction() && settings().demo && !hasProvider()) await startDemo(server)
  await refreshOutdated()
}

async function startDemo(server: Server) {
  const LOG = cds.log('restock')
  const { port } = server.address() as AddressInfo
  const keyFile = await ensureDemoKey(port, {
    issueKey: (wish) => issueKey({ ...wish, scopes: SCOPES }),
    verifyKey: (key) => verifyKey(`Bearer ${key}`),
    confirmKey: (ID, person) => confirmAs(person, ID),
  })
  const key = path.relative(cds.root, keyFile)
  LOG.info(`API: http://localhost:${port}/v1, a key is in ${key}, where npx restock finds it`)
  if (settings().demo === 'key') return
  const isNew = await ensureDemoSource()
  if (isNew) LOG.info('the demo is being read and forecast; its proposals come in half a minute')
  LOG.info('next: npx restock proposals list --due')
}

const confirmAs = (id: string, ID: string) =>
  cds.tx({ user: { id, roles: [], attr: { via: 'system' } } }, () => confirmKey(ID))

/** In development the schema is deployed, or upgraded in place, before anything is served. */
export default async function server(options: object) {
  if (!isProduction()) prepareFile()
  // Pages come from us alone: CAP's own start page, its files of ./app and its CORS stay off.
  const own = { static: undefined, index: undefined, cors: undefined }
  const http = await facade.server({ ...options, ...own, in_memory: !isProduction() })
  guardConnections(http)
  return http
}

function prepareFile() {
  const file = databaseFile()
  if (!file) return
  holdFile(file, (held) => {
    assertReleaseOfFile(held)
    dropFromFile(held)
  })
}
