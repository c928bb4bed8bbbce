import { once } from 'node:events'
import net from 'node:net'

/** A free TCP port. */
export async function findFreePort(): Promise<number> {
  const probe = net.createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** The environment of a service on this database, without demo data and rate limit. */
export const environment = (database: string, port: number) => ({
  ...process.env,
  ...{ PORT: String(port), CDS_TYPESCRIPT: 'true', RESTOCK_RATE_LIMIT: 'off' },
  CDS_CONFIG: JSON.stringify({
    requires: { db: { credentials: { url: database } } },
    restock: {
      demo: false,
      schedules: { full: 'off', incremental: 'off', housekeeping: 'off' },
    },
    log: { levels: { deploy: 'warn', cds: 'warn' } },
  }),
})
