// What is sent to each door: bodies that are too large, too deep, endless, odd, or ask for too much.
import { gzipSync } from 'node:zlib'

export interface Attack {
  name: string
  headers: Record<string, string | number>
  /** Written one after the other; the connection stays open after the last. */
  chunks: (string | Buffer)[]
  /** Instead of a call. */
  raw?: string
  signedIn: boolean
  path?: string
  method?: string
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const MULTIPART = { 'Content-Type': 'multipart/mixed; boundary=b' }
const HTTP = '--b\r\nContent-Type: application/http\r\n\r\n'

/** A few tens of kB that become 60 MB. */
const BOMB = gzipSync(Buffer.alloc(60_000_000))
const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`

const whole = (name: string, body: string | Buffer, headers = {}): Attack => ({
  name,
  headers: { ...JSON_TYPE, 'Content-Length': Buffer.byteLength(body), ...headers },
  chunks: [body],
  signedIn: true,
})

const unsigned = (attack: Attack): Attack => ({
  ...attack,
  name: `${attack.name}, no sign-in`,
  signedIn: false,
})

const bomb = whole('gzip of 60 MB', BOMB, { 'Content-Encoding': 'gzip' })
const endless: Attack = {
  name: 'chunks without end',
  headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
  chunks: Array.from({ length: 100 }, () => chunk(50_000)),
  signedIn: true,
}
const declared: Attack = {
  name: 'a declared length of 1 GB',
  headers: { ...JSON_TYPE, 'Content-Length': 1e9 },
  chunks: [],
  signedIn: true,
}
const deep = whole('deep lists', `{"proposals":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)
const deepObjects = whole('deep objects', `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`)
const half = { ...whole('half a body', '{'), headers: { ...JSON_TYPE, 'Content-Length': 9 } }

/** For any door. */
export const ANYWHERE: Attack[] = [
  ...[bomb, unsigned(bomb), endless, unsigned(endless), declared, unsigned(declared)],
  ...[deep, deepObjects, half, unsigned(half)],
  ...[whole('null', 'null'), whole('no UTF-8', Buffer.from([0x22, 0xff, 0x22]))],
  { ...whole('half a header', ''), raw: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ' },
  { ...whole('no HTTP', ''), raw: '\u0016\u0003\u0001GARBAGE\r\n\r\n' },
  { ...whole('a long address', ''), raw: `GET /${'a'.repeat(30_000)} HTTP/1.1\r\n\r\n` },
]

const batchOf = (name: string, count: number, url: string): Attack => {
  const requests = Array.from({ length: count }, (_, id) => ({ id: `${id}`, method: 'GET', url }))
  return whole(name, JSON.stringify({ requests }))
}
const multipart = (name: string, body: string) => whole(name, body, MULTIPART)
const conditions = Array.from({ length: 240 }, (_, at) => `ID eq ${at}`).join(' or ')

/** For the batches of a service of OData. @param set an entity set of it */
export const batches = (set: string): Attack[] => [
  batchOf('a batch of 1,000', 1000, `${set}?$top=1`),
  batchOf('a batch of 100 reads of 1,000', 100, `${set}?$top=1000`),
  batchOf('long filters', 7, `${set}?$top=1&$filter=${conditions}`),
  batchOf('nesting', 3, `${set}?$filter=${'('.repeat(5000)}1 eq 1${')'.repeat(5000)}`),
  multipart('a multipart of 1,000', `${`${HTTP}GET ${set} HTTP/1.1\r\n\r\n\r\n`.repeat(900)}--b--`),
  multipart('a multipart cut off', `${HTTP}POST x HTTP/1.1\r\nContent-Length:5000`),
  multipart(
    'a multipart that lies',
    `${HTTP}POST x HTTP/1.1\r\nContent-Type:application/json\r\nContent-Length:5000\r\n\r\n{}\r\n--b--`,
  ),
]

export const approvals = (): Attack => {
  const proposals = Array.from({ length: 200 }, (_, at) => `${900_000 + at}@1`).join(',')
  return {
    ...whole('200 approvals', JSON.stringify({ proposals })),
    path: '/odata/v4/buyer/approveMany',
  }
}
