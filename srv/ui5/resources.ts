// /resources: the UI5 libraries, built or from the development server, or an honest 503.
import http from 'node:http'
import path from 'node:path'
import express, { type RequestHandler } from 'express'
import { builtFolder } from './paths.ts'
import { wantUi5 } from './state.ts'

const AN_HOUR_S = 3600

/** Built and unbuilt ones differ in these files, so they are asked for each time. */
const ENTRIES = /^\/(sap-ui-core\.js|sap-ui-version\.json)$/

const caching = (file: string) => (ENTRIES.test(file) ? 'no-cache' : `public, max-age=${AN_HOUR_S}`)

let built: RequestHandler | undefined

const fromFolder = () =>
  (built ??= express.static(path.join(builtFolder(), 'resources'), {
    index: false,
    redirect: false,
    cacheControl: false,
  }))

export const resources: RequestHandler = (req, res, next) => {
  const state = wantUi5()
  res.setHeader('Cache-Control', caching(req.path))
  if (state.is === 'built') return fromFolder()(req, res, next)
  if (state.is === 'unbuilt') return fromServer(state.port, req, res)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Retry-After', '5')
  res.status(503).type('text').send('The UI5 libraries are not there yet.')
}

function fromServer(port: number, req: express.Request, res: express.Response) {
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
