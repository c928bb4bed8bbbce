// On SQLite, whose calls return at once, CAP 10.1.1 works off a whole batch before anything else of the process is done,
// and keeps as many rows as its parts ask for. Needed until it lets others in between, and has a limit for the whole.
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

/** Rows that all parts of a batch together may read; the part that comes to more is the last one. */
const MOST_ROWS = 5_000

const rowsRead = new WeakMap<ServerResponse, number>()

/** Before services are served. */
export function giveTurns() {
  cds.on('serving', (service) => {
    const wait = async ({ event }: cds.Request) => {
      const res = batchAnswer()
      if (!res) return
      // A group of changes holds its transaction meanwhile, and never waits.
      if (event === 'READ') await untilMayRead(res)
      await ownTurn()
    }
    const count = (found: unknown) => {
      const res = batchAnswer()
      if (res && Array.isArray(found)) rowsRead.set(res, (rowsRead.get(res) ?? 0) + found.length)
    }
    service.prepend(() => {
      service.before('*', wait)
      service.after('READ', count)
    })
  })
}

/** @throws where nobody is there to read it, or the batch has read enough */
async function untilMayRead(res: ServerResponse) {
  await untilRead(res)
  if (res.destroyed) throw cds.error(400, 'The caller has gone.')
  if ((rowsRead.get(res) ?? 0) < MOST_ROWS) return
  throw cds.error(400, `A batch may read ${MOST_ROWS.toLocaleString('en')} rows at most.`)
}

/** The answer of the batch that the present call is a part of. */
function batchAnswer(): ServerResponse | undefined {
  const { req, res } = (cds.context?.http ?? {}) as Partial<Call>
  return req && /\/\$batch(\?|$)/.test(req.originalUrl) ? res : undefined
}

interface Call {
  req: { originalUrl: string }
  res: ServerResponse
}
