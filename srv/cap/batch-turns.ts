// On SQLite, whose calls return at once, CAP 10.1.1 works off a whole batch before anything else of the process is done.
// Needed until it lets others in between.
import type { ServerResponse } from 'node:http'
import cds from '@sap/cds'

let last = Promise.resolve()

/**
 * Waits for a turn of the event loop that no other part of a batch has, so that calls outside of batches never
 * wait for more than one part.
 */
export const ownTurn = (): Promise<void> =>
  (last = last.then(() => new Promise((resolve) => void setImmediate(resolve))))

/** Bytes of answers that a batch may have waiting for a caller that reads slowly. */
const MOST_WAITING = 4_194_304

/** Waits until the caller has taken what its batch has answered so far. */
async function untilRead(res: ServerResponse) {
  while (res.writableLength > MOST_WAITING && !res.destroyed) {
    await new Promise<void>((resolve) => {
      res.once('drain', resolve)
      res.once('close', resolve)
    })
  }
}

/** Before services are served. */
export function giveTurns() {
  cds.on('serving', (service) => {
    const wait = async ({ event }: cds.Request) => {
      const { req, res } = (cds.context?.http ?? {}) as Partial<Call>
      if (!req || !res || !/\/\$batch(\?|$)/.test(req.originalUrl)) return
      // A group of changes holds its transaction meanwhile, and never waits.
      if (event === 'READ') await untilRead(res)
      if (event === 'READ' && res.destroyed) throw cds.error(400, 'The caller has gone.')
      await ownTurn()
    }
    service.prepend(() => service.before('*', wait))
  })
}

interface Call {
  req: { originalUrl: string }
  res: ServerResponse
}
