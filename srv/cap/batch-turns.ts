// On SQLite, whose calls return at once, CAP 10.1.1 works off a whole batch before anything else of the process is done.
// Needed until it lets others in between.
import cds from '@sap/cds'

let last = Promise.resolve()

/**
 * Waits for a turn of the event loop that no other part of a batch has, so that calls outside of batches never
 * wait for more than one part.
 */
export const ownTurn = (): Promise<void> =>
  (last = last.then(() => new Promise((resolve) => void setImmediate(resolve))))

const isPartOfBatch = () =>
  /\/\$batch(\?|$)/.test((cds.context?.http?.req as { originalUrl?: string })?.originalUrl ?? '')

/** Before services are served. */
export function giveTurns() {
  cds.on('serving', (service) => {
    service.prepend(() => service.before('*', () => (isPartOfBatch() ? ownTurn() : undefined)))
  })
}
