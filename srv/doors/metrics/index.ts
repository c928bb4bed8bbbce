// What a Prometheus asks for: `/metrics` at a port of its own, which the public one does not lead to.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import cds from '@sap/cds'
import { guardConnections } from '../../base/http/connections.ts'
import { settings } from '../../base/settings/config.ts'
import { measureProcess, registry } from './registry.ts'
import { refreshFigures } from './stored-figures.ts'

export { measureCalls } from './registry.ts'

const LOG = cds.log('metrics')

let server: Server | undefined

/** Whether metrics are asked for. */
export const isMeasured = () => settings().metrics.port !== null

/** Listens where the settings say, if they do. What is counted is counted from now on. A port in use does not end the service. */
export async function serveMetrics() {
  const { port, host } = settings().metrics
  if (port === null) return
  measureProcess()
  await refreshFigures()
  server = createServer((req, res) => void answer(req, res))
  guardConnections(server)
  try {
    await once(server.listen(port, host), 'listening')
    LOG.info(`metrics: http://${host}:${port}/metrics`)
  } catch (error) {
    LOG.error('the metrics are not served:', (error as Error).message)
  }
}

async function answer({ method = '', url = '' }: IncomingMessage, res: ServerResponse) {
  res.setHeader('Cache-Control', 'no-store')
  if (!/^\/metrics(\?|$)/.test(url)) return void res.writeHead(404).end()
  if (!['GET', 'HEAD'].includes(method))
    return void res.writeHead(405, { Allow: 'GET, HEAD' }).end()
  try {
    await refreshFigures()
    const text = await registry.metrics()
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text)
  } catch (error) {
    LOG.error('a scrape failed:', error)
    res.writeHead(500).end()
  }
}

/** At shutdown. */
export async function closeMetrics() {
  if (!server?.listening) return
  server.closeIdleConnections()
  await new Promise((done) => server!.close(done))
}
