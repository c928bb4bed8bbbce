// CAP listens at all addresses of the machine, by `app.listen(port)`. Tried with @sap/cds 10.1.1.
// Needed until it takes a host by configuration.
import type { Application } from 'express'

/** @param host undefined for all addresses */
export function listenAt(app: Application, host: string | undefined) {
  if (host === undefined) return
  const listen = app.listen.bind(app)
  Object.assign(app, { listen: (port: number) => listen(port, host) })
}
