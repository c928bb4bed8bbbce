import type { Request, Response } from 'express'

/** 200 while the database answers, 503 otherwise. */
export async function health(_request: Request, response: Response) {
  try {
    await SELECT.one.from('restock.Counters').columns('name')
    response.json({ status: 'UP' })
  } catch {
    response.status(503).json({ status: 'DOWN' })
  }
}
