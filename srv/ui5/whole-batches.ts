import type { RequestHandler } from 'express'

/**
 * UI5 reads a page anew in the batch of the action that it belongs to. Were the batch to end at a refusal,
 * each field of the page would be told as another fault.
 */
export const wholeBatches: RequestHandler = (req, _res, next) => {
  if (req.path.endsWith('/$batch')) req.headers.prefer ??= 'odata.continue-on-error'
  next()
}
