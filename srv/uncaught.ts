import cds from '@sap/cds'

/**
 * What fails in one call is answered 500 and logged: CAP would end the service for a `TypeError`, which a caller's
 * input can cause in the adapters. Only what is thrown outside of every promise still ends it, in good order.
 */
export function outliveCalls() {
  Object.assign((cds.env as unknown as { server: object }).server, {
    shutdown_on_uncaught_errors: false,
  })
  const LOG = cds.log('restock')
  process.on('unhandledRejection', (error) => LOG.error('a call failed unheard:', error))
  process.on('uncaughtException', (error) => {
    LOG.error('the service ends:', error)
    void (cds as unknown as { shutdown(error: Error): Promise<void> }).shutdown(error)
  })
}
