// A bare Express route with an answer of a given size, the baseline for /v1.
import type { AddressInfo } from 'node:net'
import express from 'express'

const answer: unknown = JSON.parse(process.argv[2]!)
const app = express()
app.get('/forecasts', (_req, res) => {
  res.json(answer)
})
const server = app.listen(0, () => process.send!((server.address() as AddressInfo).port))
