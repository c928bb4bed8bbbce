// GET /docs: the reference, to be browsed. Everything comes from this service: no CDN, nothing inline.
import { createRequire } from 'node:module'
import path from 'node:path'
import cds from '@sap/cds'
import express, { type Router } from 'express'

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The browsable reference, to be mounted at /docs. */
export function docsRouter(): Router {
  const root = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = express.Router()
  router.use(express.static(path.resolve(cds.root, 'app/docs')))
  for (const name of ASSETS) router.get(`/${name}`, (_req, res) => res.sendFile(name, { root }))
  return router
}
