// On SQLite, whose calls return at once, CAP 10.1.1 works off a whole batch before anything else of the process is done,
// and keeps as many rows as its parts ask for. Needed until it lets others in between, and has a limit for the whole.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import type { RequestHandler } from 'express'

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

/** Calls outside of batches that have no answer yet. */
const unanswered = new Map<ServerResponse, Promise<void>>()

/** Before all other handlers. */
export const noteCalls: RequestHandler = (req, res, next) => {
  if (!isBatch(req.originalUrl)) {
    const closed = new Promise<void>((resolve) => res.once('close', resolve))
    unanswered.set(res, closed)
    void closed.then(() => unanswered.delete(res))
  }
  next()
}

/** Rows after which a batch gives way. */
const MANY_ROWS = 500
const LONGEST_WAY_MS = 250

/** Waits for the answers of those who came before, but not of those who wait for something themselves. */
const giveWay = () =>
  Promise.race([Promise.all(unanswered.values()), sleep(LONGEST_WAY_MS, null, { ref: false })])

/** Rows that all parts of a batch together may read; the part that comes to more is the last one. */
const MOST_ROWS = 2_000

const rowsRead = new WeakMap<ServerResponse, number>()
const rowsReadBy = (res: ServerResponse) => rowsRead.get(res) ?? 0

/** Before services are served. */
export function giveTurns() {
  cds.on('serving', (service) => {
    const wait = async ({ event }: cds.Request) => {
      const res = batchAnswer()
      if (!res) return
      // A group of changes holds its transaction meanwhile, and waits for nobody.
      if (event === 'READ') await untilFree(res)
      await ownTurn()
      if (event === 'READ') assertMayRead(res)
    }
    const count = (found: unknown) => {
      const res = batchAnswer()
      if (res && Array.isArray(found)) rowsRead.set(res, rowsReadBy(res) + found.length)
    }
    service.prepend(() => {
      service.before('*', wait)
      service.after('READ', count)
    })
  })
}

async function untilFree(res: ServerResponse) {
  await untilRead(res)
  if (rowsReadBy(res) > MANY_ROWS) await giveWay()
}

/** @throws where nobody is there to read it, or the batch has read enough */
function assertMayRead(res: ServerResponse) {
  if (res.destroyed) throw cds.error(400, 'The caller has gone.')
  if (rowsReadBy(res) < MOST_ROWS) return
  throw cds.error(400, `A batch may read ${MOST_ROWS.toLocaleString('en')} rows at most.`)
}

/** The answer of the batch that the present call is a part of. */
function batchAnswer(): ServerResponse | undefined {
  const { req, res } = (cds.context?.http ?? {}) as Partial<Call>
  return req && isBatch(req.originalUrl) ? res : undefined
}

const isBatch = (url: string) => /\/\$batch(\?|$)/.test(url)

interface Call {
  req: { originalUrl: string }
  res: ServerResponse
}
