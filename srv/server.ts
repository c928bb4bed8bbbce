// The composition root: what starts when, and who is given to whom. Nobody imports it.
import './log/guard.ts'
import './cap/log.ts'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import cds from '@sap/cds'
import type { Application } from 'express'
import { addMissingSourceTypes } from './admin/sources.ts'
import { anchorWorker } from './audit/anchor.ts'
import { noteRefusals, refusalWorker } from './audit/refusals.ts'
import { sealWorker } from './audit/seal.ts'
import { trailWorker } from './audit/watch.ts'
import { endWithStarter } from './become.ts'
import { continueOnError } from './cap/batches.ts'
import { limitWaiting, prepareConnections } from './cap/connection-pool.ts'
import { runDetached } from './cap/context.ts'
import { giveTurns, noteCalls } from './cap/batch-turns.ts'
import { beforePlugins, facade } from './cap/facade.ts'
import { forgetUnstoredEntities } from './cap/deployed-model.ts'
import { listenAt } from './cap/listen.ts'
import { hasProvider } from './identity/provider.ts'
import { useOpenId } from './identity/use-openid.ts'
import { identityRouter, pagesNeedSession } from './identity/routes.ts'
import { isProduction } from './cap/profiles.ts'
import { assertConfiguration, settings } from './config.ts'
import { ensureDemoKey } from './demo/demo-key.ts'
import { ensureDemoSource } from './demo/demo-source.ts'
import { closePool } from './forecasting/pool.ts'
import { guardConnections } from './server/connections.ts'
import { compareClocks } from './server/clock.ts'
import { healthRouter } from './server/health.ts'
import { notePassedProxy } from './server/proxy-header.ts'
import { assertSafeStart, listeningHost } from './server/safe-start.ts'
import { answerFault, nothingHere } from './server/last-answers.ts'
import { refuseLargeBodies } from './server/large-bodies.ts'
import { limitAddress, limitReads, limitUnknown } from './server/rates.ts'
import { adviseCollector } from './server/garbage-collector.ts'
import { readBodies } from './cap/odata-bodies.ts'
import { hideFaults } from './cap/odata-faults.ts'
import { refuseMalformedPaths } from './cap/odata-paths.ts'
import { send } from './services.ts'
import { prepareCounters } from './store/counters.ts'
import { assertFileIsThere, databaseFile, holdFile, isFileHeld } from './store/database-file.ts'
import { assertRelease, assertReleaseOfFile, noteRelease } from './store/release.ts'
import { endForeignLeases } from './store/runs.ts'
import { housekeepingWorker, scheduleWorker } from './schedules/start-due.ts'
import { drainBeforeDisconnect } from './cap/shutdown.ts'
import { beginConsent } from './sources/consent/begin-consent.ts'
import { oauthCallback } from './sources/consent/callback.ts'
import { checkFilesOnThread } from './sync/reading/check-on-thread.ts'
import { closeReading } from './sync/reading/source-reader.ts'
import { refreshOutdated, syncWorker } from './sync/sync-worker.ts'
import { watchWorker } from './sync/watch-sources.ts'
import { taskWorkers } from './tasks/task-workers.ts'
import { prepareFeed } from './tasks/feed/feed.ts'
import { mountMyInbox } from './tasks/my-inbox/mount.ts'
import { taskCenterRouter } from './tasks/task-center/index.ts'
import { appsRouter } from './ui5/apps.ts'
import { pagePolicy, sameOriginChanges, storeNothing } from './ui5/policy.ts'
import { surviveFailedCalls } from './cap/uncaught-errors.ts'
import { docsRouter } from './v1/openapi/reference.ts'
import { prepareCursorKey } from './v1/http/cursor.ts'
import { v1Router } from './v1/index.ts'
import { issueKey } from './v1/keys/manage.ts'
import { SCOPES } from './v1/keys/scopes.ts'
import { dropFromFile, upgradeRows } from './upgrade/index.ts'
import { assertDeployed } from './upgrade/tables-in-use.ts'
import { verifyKey } from './v1/keys/verify.ts'
import { deliveryWorkers } from './webhooks/delivery-workers.ts'
import { startWorkers, stopWorkers } from './worker.ts'

endWithStarter()
adviseCollector()
mountMyInbox()
refuseMalformedPaths()
surviveFailedCalls()
forgetUnstoredEntities()
assertConfiguration()
assertSafeStart()
useOpenId()
checkFilesOnThread()
// Libraries ask it, also where CDS_ENV alone says production.
if (isProduction()) process.env.NODE_ENV = 'production'
readBodies()
giveTurns()
hideFaults()
facade.middlewares.add(limitReads(), { after: 'ctx_model' })

// Runs before what has been mounted so far.
beforePlugins((app) => {
  app.disable('x-powered-by')
  listenAt(app, listeningHost())
  app.set('trust proxy', trustedProxies())
  app.use(notePassedProxy((message) => cds.log('restock').warn(message)))
  app.use(limitWaiting, noteCalls)
  app.use('/odata', storeNothing, assertFileIsThere)
  app.use(noteRefusals, refuseLargeBodies)
  app.use(['/odata', '/task-provider', '/api/task-provider'], limitUnknown())
})

cds.on('bootstrap', (app: Application) => {
  app.use('/v1', v1Router())
  app.use('/docs', pagePolicy([], ["'none'"]), docsRouter())
  app.use(['/task-provider/v2', '/api/task-provider/v2'], taskCenterRouter())
  app.use('/health', healthRouter())
  app.use('/odata', sameOriginChanges, continueOnError)
  app.use(['/auth/login', '/auth/callback'], limitAddress('sign-in'))
  app.use('/auth', identityRouter(sameOriginChanges))
  app.use(pagesNeedSession)
  app.use(appsRouter())
  app.use(['/oauth/authorize', '/oauth/callback'], limitAddress('consent'))
  app.get('/oauth/authorize', beginConsent)
  app.get('/oauth/callback', oauthCallback)
})

/** What stands before the service and names the caller's address; in production one proxy, such as a router. */
const trustedProxies = () => settings().trustProxy ?? (isProduction() ? 1 : false)

cds.on('connect', (service) => {
  if (service.name === 'db') prepareConnections(service)
})

// eslint-disable-next-line @typescript-eslint/no-misused-promises -- CAP’s emit awaits its listeners.
cds.on('served', async () => {
  await assertRelease()
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
  startWork(server).catch((error) => cds.log('restock').error('The start is incomplete:', error))
})

async function startWork(server: Server) {
  drainBeforeDisconnect(server, [stopWorkers, closeReading, closePool])
  if (isFileHeld()) await endForeignLeases()
  startWorkers([scheduleWorker, housekeepingWorker, syncWorker, watchWorker])
  startWorkers([refusalWorker, trailWorker, sealWorker, anchorWorker])
  startWorkers([...deliveryWorkers, ...taskWorkers])
  if (!isProduction() && settings().demo && !hasProvider()) await startDemo(server)
  await refreshOutdated()
}

async function startDemo(server: Server) {
  const LOG = cds.log('restock')
  const { port } = server.address() as AddressInfo
  const keyFile = await ensureDemoKey(port, {
    issueKey: (wish) => cds.tx(() => issueKey({ ...wish, scopes: SCOPES })) as never,
    verifyKey: (key) => verifyKey(`Bearer ${key}`),
    confirmKey: (ID, person) => confirmAs(person, ID),
  })
  LOG.info(`API: http://localhost:${port}/v1, a key is in ${path.relative(cds.root, keyFile)}`)
  if (settings().demo === 'key') return
  const isNew = await ensureDemoSource()
  if (isNew) LOG.info('the demo is being read and forecast; its proposals come in a moment')
  LOG.info('next: npx restock proposals list --status pending')
}

const confirmAs = (id: string, ID: string) =>
  cds.tx({ user: { id, roles: [], attr: { via: 'system' } } }, () =>
    send('KeysService', 'confirm', { ID }),
  )

/** In development the schema is deployed, or upgraded in place, before anything is served. */
export default async function server(options: Record<string, unknown>) {
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
