// GET /docs: the reference, to be browsed. Everything comes from this service: no CDN, nothing inline.
import { createRequire } from 'node:module'
import path from 'node:path'
import express, { type Router } from 'express'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Restock API</title>
    <link rel="icon" href="favicon-32x32.png" type="image/png">
    <link rel="stylesheet" href="swagger-ui.css">
  </head>
  <body>
    <main id="reference"></main>
    <noscript>The same for machines: <a href="../v1/openapi.json">openapi.json</a></noscript>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`

const START = `SwaggerUIBundle({
  url: '../v1/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  validatorUrl: null,
})
`

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The browsable reference, to be mounted at /docs. */
export function docsRouter(): Router {
  const root = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = express.Router()
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', POLICY)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Referrer-Policy', 'no-referrer')
    next()
  })
  router.get('/', (req, res) => {
    if (new URL(req.originalUrl, 'http://localhost').pathname.endsWith('/'))
      res.type('html').send(PAGE)
    else res.redirect(301, `${req.baseUrl}/`)
  })
  router.get('/start.js', (_req, res) => {
    res.type('js').send(START)
  })
  for (const name of ASSETS) router.get(`/${name}`, (_req, res) => res.sendFile(name, { root }))
  return router
}
