// CAP ends the service at a `TypeError`, which a caller's input can cause in its adapters. package.json switches that
// off (`server.shutdown_on_uncaught_errors`), and with it the handlers of the process; these stand in their place.
// Tried with @sap/cds 10.1.1. Needed until CAP ends the service for its own faults only.
import cds from '@sap/cds'
import { SettingFault } from '../settings/config.ts'
import { isDatabaseFault, isDiskFull, isFullOfClients } from '../database/database-faults.ts'
import { facade } from './facade.ts'

/** The error as one sentence if its solution is known, or else as it was thrown. */
function toSentence(error: unknown) {
  if (error instanceof SettingFault) return error.message
  if (isDatabaseFault(error)) return `${causeOf(error)} ${cureOf(error)}`
  const { code, port } = error as { code?: string; port?: number }
  return code === 'EADDRINUSE' ? `Port ${port} is taken: set PORT to another.` : error
}

const causeOf = (error: unknown) => {
  const { message } = error as Error
  return `The database cannot be used: ${message.endsWith('.') ? message : `${message}.`}`
}

const cureOf = (error: unknown) =>
  isFullOfClients(error)
    ? 'Its max_connections are used up: raise them, or end other clients. Each instance needs up to cds.requires.db.pool.max (10) and one more.'
    : isDiskFull(error)
      ? 'Make room on its disk.'
      : 'See that it runs, and that CDS_REQUIRES_DB_CREDENTIALS_* lead to it.'

/** A failed call is answered 500 and logged. Only a failed start, or an error outside of every promise, ends the service. */
export function surviveFailedCalls() {
  const LOG = cds.log('restock')
  let isServing = false
  cds.once('listening', () => (isServing = true))
  process.on('unhandledRejection', (error) => {
    if (isServing) LOG.error('a call failed, and nothing awaited it:', error)
    else endStart(error)
  })
  const endStart = (error: unknown) => {
    LOG.error('the service cannot start:', toSentence(error))
    process.exitCode = 1
    setTimeout(() => process.exit(), 1000).unref()
  }
  // If nobody reads the output any more, writing fails, and reporting that failure would fail again without end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('uncaughtException', (error) => {
    LOG.error('the service ends:', error)
    process.exitCode = 1
    void facade.shutdown(error)
  })
  const { shutdown_on_uncaught_errors: endsTheService } = cds.env.server as {
    shutdown_on_uncaught_errors?: boolean
  }
  if (endsTheService) {
    throw new SettingFault('cds.server.shutdown_on_uncaught_errors is true, but must be false.')
  }
}
