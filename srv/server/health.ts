// Whether the process lives, and whether it should be sent calls.
import cds from '@sap/cds'
import express, { type Request, type Response, type Router } from 'express'
import { isFileGone } from '../store/database-file.ts'

let isStopping = false

/** 200 while the database answers, 503 otherwise. */
async function health(_request: Request, response: Response) {
  try {
    if (isFileGone()) throw new Error('The file of the database has been removed.')
    await SELECT.one.from('restock.Counters').columns('name')
    response.json({ status: 'UP' })
  } catch {
    response.status(503).json({ status: 'DOWN' })
  }
}

const ready = (request: Request, response: Response) =>
  isStopping ? void response.status(503).json({ status: 'DOWN' }) : health(request, response)

/** To be mounted at /health. */
export function healthRouter(): Router {
  cds.on('shutdown', () => (isStopping = true))
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
