import { once } from 'node:events'
import net from 'node:net'

/** One that nothing listens on now. */
export async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Of a service without the demo on this database, whose limits are off. */
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
