// Serves the start page and /apps/<name>. Until UI5 is available, a page says so and reloads by itself.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import http from 'node:http'
import cds from '@sap/cds'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import fromCompressed from 'express-static-gzip'
import { builtFolder, builtVersion, ui5State, wantUi5 } from './ui5.ts'
import { pagePolicy } from './policy.ts'

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

// /resources: the UI5 libraries, built or from the development server, or an honest 503. Pages ask for those of a
// build by its version, /resources/~<version>/…, which browsers keep.

const AN_HOUR_S = 3600
const A_YEAR_S = 31_536_000

const VERSION = /^\/~([\w.-]+)(?=\/)/

/** Built and unbuilt ones differ in these files, so they are asked for each time. */
const ENTRIES = /^\/(sap-ui-core\.js|sap-ui-version\.json)$/

function cacheControlOf(file: string, asked?: string, version?: string) {
  if (asked && asked === version) return `public, max-age=${A_YEAR_S}, immutable`
  return asked || ENTRIES.test(file) ? 'no-cache' : `public, max-age=${AN_HOUR_S}`
}

let built: { version: string; serve: RequestHandler } | undefined

function serveBuilt(version: string): RequestHandler {
  if (built?.version !== version) {
    const serveStatic = { redirect: false, cacheControl: false }
    const how = { enableBrotli: true, orderPreference: ['br'], index: false as const, serveStatic }
    const folder = path.join(builtFolder(), 'resources')
    built = { version, serve: fromCompressed(folder, how) }
  }
  return built.serve
}

const resources: RequestHandler = (req, res, next) => {
  const state = wantUi5()
  const [, asked] = VERSION.exec(req.url) ?? []
  req.url = req.url.replace(VERSION, '')
  const version = state.is === 'built' ? builtVersion() : undefined
  res.setHeader('Cache-Control', cacheControlOf(req.path, asked, version))
  if (version) return serveBuilt(version)(req, res, next)
  if (state.is === 'unbuilt') return proxyToServer(state.port, req, res)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Retry-After', '5')
  res.status(503).type('text').send('The UI5 libraries are not there yet.')
}

function proxyToServer(port: number, req: Request, res: Response) {
  const headers = { accept: req.headers.accept ?? '*/*', host: `localhost:${port}` }
  const inner = http.get({ port, path: req.originalUrl, headers }, (answer) => {
    const { 'content-type': type, 'content-length': length } = answer.headers
    res.status(answer.statusCode ?? 502)
    if (type) res.setHeader('Content-Type', type)
    if (length) res.setHeader('Content-Length', length)
    answer.pipe(res)
  })
  inner.once('error', () => {
    if (res.headersSent) res.destroy()
    else res.status(502).end()
  })
  res.once('close', () => inner.destroy())
}

// An app's modules, views and texts in the one file that UI5 asks for before it asks for each of them.

const TAKEN = ['Component.js', 'ext/**/*.{js,xml}', 'i18n/*.properties']

/** @param folder of the app, @param namespace its name for UI5, `restock.buyer` */
function preloadOf(folder: string, namespace: string): string {
  const entries = globSync(TAKEN, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      const content = file.endsWith('.js') ? `function(){${text}\n}` : JSON.stringify(text)
      return `${JSON.stringify(`${namespace.replaceAll('.', '/')}/${file}`)}:${content}`
    })
  return `sap.ui.require.preload({${entries.join(',\n')}}, '${namespace}')`
}
