// CAP sends the rows of an INSERT to PostgreSQL as a stream, by way of a table that it makes for that and drops: three round trips, and
// rows of the catalogue, for one row. What is short goes as a parameter. Wraps `_prepareStreams` of @cap-js/postgres, which is
// not public. Tried with 2.3.0. Needed until CAP does so by itself.
import { Readable } from 'node:stream'

/** Bytes of JSON; what is longer is sent as CAP does, so that it is never in memory at once. */
const SHORT = 262_144

/** A stream of CAP's, which says what is in it. */
interface ValueStream extends Readable {
  type?: string
}

interface DatabaseService {
  _prepareStreams(query: object, values: unknown): unknown
}

export function sendShortValues(service: object) {
  const database = service as DatabaseService
  const { _prepareStreams: prepare } = database
  database._prepareStreams = function (this: DatabaseService, query, values) {
    if (!Array.isArray(values) || !values.some(isJson)) return prepare.call(this, query, values)
    const read = Promise.all(
      values.map((value: unknown) => (isJson(value) ? readShort(value) : value)),
    )
    return read.then((short) => prepare.call(this, query, short))
  }
}

const isJson = (value: unknown): value is ValueStream =>
  value instanceof Readable && (value as ValueStream).type === 'json'

/** @returns its text, or a stream of the same where it is longer */
async function readShort(stream: ValueStream): Promise<string | ValueStream> {
  const chunks: Buffer[] = []
  let length = 0
  const rest = stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer | string>
  for await (const chunk of rest) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > SHORT) break
  }
  if (stream.readableEnded) return Buffer.concat(chunks).toString()
  const whole = Readable.from(
    (async function* () {
      yield* chunks
      yield* stream
    })(),
    { objectMode: false },
  )
  return Object.assign(whole, { type: 'json' })
}
