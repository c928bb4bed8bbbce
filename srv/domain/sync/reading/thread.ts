// Runs on the reading thread: requests, parses and maps, and packs the pages into groups.
import '../../../base/log/guard.ts'
import { on, once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import type { Credentials, StoredKeys, Stream } from '../../../../adapters/adapter.ts'
import { adapterOf } from '../../../../adapters/index.ts'
import { transferable } from '../../../base/database/demand/columns.ts'
import {
  ask,
  type Checked,
  failureOf,
  type FromStream,
  groupPages,
  prefetch,
  type ReadStream,
  type SourceRequest,
} from './pages.ts'

/** How long a header is reused, because the service's own thread may be busy storing. */
const AUTHORIZATION_MS = 1_000

/** Reads the streams of a source that are asked for, until its port closes. */
export async function readSource({ type, connection, hasCredentials, port }: SourceRequest) {
  const ended = new AbortController()
  const credentials = hasCredentials ? remoteCredentials(port, ended.signal) : null
  let streams: Stream[] | undefined
  // They share one client, which limits the requests to the source.
  const streamsOfSource = () =>
    (streams ??= adapterOf(type)!.streams({ ...connection, credentials }))
  port.on('message', (asked: ReadStream) => void answerReads(asked, streamsOfSource))
  await once(port, 'close')
  ended.abort()
}

/** Reads a little of every stream, until its port closes. */
export async function checkSource(request: SourceRequest): Promise<Checked> {
  const { type, connection, hasCredentials, port } = request
  const ended = new AbortController()
  port.once('close', () => ended.abort())
  const credentials = hasCredentials ? remoteCredentials(port, ended.signal) : null
  try {
    return { checks: await adapterOf(type)!.check({ ...connection, credentials }, ended.signal) }
  } catch (error) {
    return { failure: failureOf(error) }
  } finally {
    port.close()
  }
}

/** Sends a group of pages for each time that the service asks for one. */
async function answerReads({ record, since, port }: ReadStream, streams: () => Stream[]) {
  const closed = new AbortController()
  port.once('close', () => closed.abort())
  const { signal } = closed
  const requests = on(port, 'message', { signal })
  const answer = (message: FromStream, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)
  try {
    const stream = streams().find((each) => each.record === record)!
    const stored: StoredKeys = () => ask(port, 'storedKeys', signal)
    for await (const group of prefetch(groupPages(record, stream.read(since, signal, stored)))) {
      await requests.next()
      answer({ group }, group.demand && transferable(group.demand))
    }
    answer({ end: true })
  } catch (error) {
    answer({ failure: failureOf(error) })
  }
}

/** Credentials are kept and renewed on the service's thread. */
function remoteCredentials(source: MessagePort, signal: AbortSignal): Credentials {
  let header: string | undefined
  let until = 0
  // A refused header is not sent again by other requests: a few wrong passwords lock a user.
  let lastRefused: string | undefined
  return {
    async authorization(refused) {
      lastRefused = refused ?? lastRefused
      if (header && header !== lastRefused && Date.now() < until) return header
      header = await ask<string>(source, refused, signal)
      until = Date.now() + AUTHORIZATION_MS
      return header
    },
  }
}
