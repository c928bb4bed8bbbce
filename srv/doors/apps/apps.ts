// Serves the start page and /apps/<name>. Until UI5 is available, a page says so and reloads by itself.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'
import express, { type RequestHandler, type Router } from 'express'
import { builtVersion } from './built.ts'
import { pagePolicy } from './policy.ts'
import { preloadOf } from './preload.ts'
import { resources } from './resources.ts'
import { ui5State, wantUi5 } from './state.ts'

const appsFolder = () => path.resolve(cds.root, 'app')

/** The apps, by the names of their folders. */
const appNames = () =>
  readdirSync(appsFolder(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => existsSync(path.join(appsFolder(), name, 'webapp', 'manifest.json')))

/** The start page, apps, their libraries and the state of these, to be mounted at the root. */
export function appsRouter(): Router {
  const router = express.Router()
  const policy = pagePolicy()
  const lax = pagePolicy(["'unsafe-inline'", "'unsafe-eval'"])
  const byState: RequestHandler = (req, res, next) =>
    (wantUi5().is === 'unbuilt' ? lax : policy)(req, res, next)
  router.use('/resources', policy, resources)
  router.get('/ui5/state', (_req, res) => {
    res.setHeader('Cache-Control', 'no-store')
    res.json(ui5State())
  })
  const files = { cacheControl: true, maxAge: 0 }
  const shell = path.join(appsFolder(), 'shell')
  router.get('/', policy, (_req, res) => res.sendFile('home.html', { root: shell, ...files }))
  router.use('/apps/shell', policy, express.static(shell, files))
  for (const name of appNames()) {
    const folder = path.join(appsFolder(), name, 'webapp')
    router.get(`/apps/${name}/Component-preload.js`, byState, (_req, res) => {
      res.setHeader('Cache-Control', 'no-cache')
      const text = preloadOf(folder, `restock.${name}`)
      res.setHeader('ETag', `"${createHash('sha256').update(text).digest('hex')}"`)
      res.type('js').send(text)
    })
    router.use(`/apps/${name}`, byState, pageOf(folder), express.static(folder, files))
  }
  return router
}

/** The app's own page, which needs UI5 and names its build; without UI5 a page that tells the visitor. */
const pageOf =
  (folder: string): RequestHandler =>
  (req, res, next) => {
    if (!['/', '/index.html'].includes(req.path)) return next()
    const { is } = wantUi5()
    if (is === 'unbuilt') return next()
    if (is === 'built') {
      const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
      res.setHeader('Cache-Control', 'no-cache')
      res.type('html').send(page.replaceAll('/resources/', `/resources/~${builtVersion()}/`))
      return
    }
    res.setHeader('Cache-Control', 'no-store')
    res.status(503).sendFile('waiting.html', { root: path.join(appsFolder(), 'shell') })
  }
