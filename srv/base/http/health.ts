// Whether the process lives, and whether it should be sent calls.
import cds from '@sap/cds'
import express, { type Request, type Response, type Router } from 'express'
import { isDatabaseAway } from '../cap/connection-pool.ts'
import { isShuttingDown } from '../cap/shutdown.ts'
import { isFileGone } from '../database/database-file.ts'
import { overdueRounds, within } from '../work/worker.ts'

/** How long the database may take to answer. */
const PATIENCE_MS = 1_200

/** 200 while the database answers, 503 otherwise. */
async function health(_request: Request, response: Response) {
  const isThere = !isFileGone() && !isDatabaseAway() && (await doesDatabaseAnswer())
  if (isThere) response.json({ status: 'UP' })
  else response.status(503).json({ status: 'DOWN', database: 'away' })
}

async function doesDatabaseAnswer(): Promise<boolean> {
  // The one connection of SQLite may be busy for a while: no answer yet is none that it cannot give.
  const isLateFine = cds.db.kind === 'sqlite'
  const isAnswered = (async () => {
    await SELECT.one.from('restock.Counters').columns('name')
    return true
  })().catch(() => false)
  return within(isAnswered, PATIENCE_MS).catch(() => isLateFine)
}

/** Besides, 503 while the service stops, or while work that callers rely on is overdue. */
async function ready(request: Request, response: Response) {
  if (isShuttingDown()) return void response.status(503).json({ status: 'DOWN', stopping: true })
  const overdue = overdueRounds({ ofVital: true })
  if (overdue.length) return void response.status(503).json({ status: 'DOWN', overdue })
  await health(request, response)
}

/** To be mounted at /health. */
export function healthRouter(): Router {
  const router = express.Router()
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  router.get('/', health)
  router.get('/live', (_request, response) => void response.json({ status: 'UP' }))
  router.get('/ready', ready)
  return router
}
