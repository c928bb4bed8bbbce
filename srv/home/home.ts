// GET /: the start page.
import path from 'node:path'
import cds from '@sap/cds'
import type { RequestHandler } from 'express'

export const home: RequestHandler = (_req, res) => {
  res.setHeader('Cache-Control', 'no-cache')
  res.sendFile('home.html', { root: path.resolve(cds.root, 'app/shell') })
}
