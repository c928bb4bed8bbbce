// /resources: the UI5 libraries, built or from the development server, or an honest 503. Pages ask for those of a
// build by its version, /resources/~<version>/…, which browsers keep.
import http from 'node:http'
import path from 'node:path'
import type { Request, RequestHandler, Response } from 'express'
import fromCompressed from 'express-static-gzip'
import { builtFolder, builtVersion } from './built.ts'
import { wantUi5 } from './state.ts'

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

export const resources: RequestHandler = (req, res, next) => {
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
