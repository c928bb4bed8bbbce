// A bare node:http server with an answer of a given size, the baseline for /v1.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answer: unknown = JSON.parse(process.argv[2]!)
const server = createServer((_req, res) => {
  const body = JSON.stringify(answer)
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
})
server.listen(0, () => process.send!((server.address() as AddressInfo).port))
