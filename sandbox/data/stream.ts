import { release } from '../odata/ascii-writer.ts'
import { writePage } from '../odata/write-page.ts'
import type { ServerResponse } from 'node:http'
import type { Fault } from '../faults.ts'
import type { PageRequest } from '../odata/write-page.ts'
import type { LogEntry } from '../log-entry.ts'

/** Sends a page in pieces and waits for the client to receive them. */
export async function sendPage(
  page: PageRequest,
  response: ServerResponse,
  entry: LogEntry,
  fault: Fault | null,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/json;charset=utf-8',
    'cache-control': 'no-store',
    ...(page.format.service.version === 2
      ? { dataserviceversion: '2.0' }
      : { 'odata-version': '4.0' }),
  })
  if (response.req.method === 'HEAD') return void response.end()
  const isBroken = fault?.kind === 'reset' || fault?.kind === 'truncate'
  const pieces = writePage(page)
  for (;;) {
    const { value, done } = pieces.next()
    if (done) {
      entry.rows = value.rows
      if (page.query.expand !== null) {
        entry.expanded = { set: page.set.navigations[page.query.expand]!.name, rows: value.below }
      }
      break
    }
    if (isBroken) return breakConnection(response, value.subarray(0, value.length / 2), fault)
    if (!response.write(value, () => release(value))) await waitForDrain(response)
    if (response.destroyed) return
  }
  response.end()
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

function breakConnection(response: ServerResponse, half: Buffer, fault: Fault): void {
  if (fault.kind === 'truncate') response.end(half)
  else response.write(half, () => setTimeout(() => response.socket?.resetAndDestroy(), 20))
}
