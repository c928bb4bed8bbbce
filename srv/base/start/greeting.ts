// What a newcomer sees of a start in development. With DEBUG, as in production, CAP's own lines stand there too.
import cds from '@sap/cds'
import { isProduction } from '../settings/config.ts'

const LOG = cds.log('restock')

/** Loggers by which CAP tells each file that it reads and each service that it serves. */
const OF_START = ['cds', 'cds.serve', 'deploy']

/** Leaves out what CAP tells of its start, unless something is wrong. */
export function quietStart() {
  if (isProduction() || process.env.DEBUG) return
  const { levels } = cds.env.log as { levels: Record<string, string> }
  for (const name of OF_START) levels[name] = 'warn'
  // Plugins have made these before.
  for (const name of ['cds', 'deploy']) cds.log(name, 'warn')
  LOG.info('starting; a first start makes the database …')
}

/** Says where the service is, and who signs in there. */
export function greet(port: number) {
  if (isProduction()) return
  LOG.info(`Restock serves at http://localhost:${port} (Ctrl+C ends it)`)
  const { kind, users = {} } = cds.env.requires.auth as Mocked
  if (kind !== 'mocked') return
  // CAP adds its own, which may do nothing here.
  const names = Object.keys(users).filter((name) => users[name]!.password === name)
  LOG.info(`sign in as ${names.join(', ')}: each has the name as its password`)
}

interface Mocked {
  kind?: string
  users?: Record<string, { password?: string }>
}
