import cds from '@sap/cds'
import { SettingFault } from '../config.ts'

/**
 * What fails in one call is answered 500 and logged: CAP would end the service for a `TypeError`, which a caller's
 * input can cause in the adapters. Only a start that fails, and what is thrown outside of every promise, still end it.
 */
export function outliveCalls() {
  Object.assign((cds.env as unknown as { server: object }).server, {
    shutdown_on_uncaught_errors: false,
  })
  const LOG = cds.log('restock')
  let isServing = false
  cds.once('listening', () => (isServing = true))
  process.on('unhandledRejection', (error) => {
    if (isServing) LOG.error('a call failed unheard:', error)
    else endStart(error)
  })
  const endStart = (error: unknown) => {
    LOG.error('the service cannot start:', error instanceof SettingFault ? error.message : error)
    process.exitCode = 1
    setTimeout(() => process.exit(), 1000).unref()
  }
  process.on('uncaughtException', (error) => {
    LOG.error('the service ends:', error)
    void (cds as unknown as { shutdown(error: Error): Promise<void> }).shutdown(error)
  })
}
