// CAP ends a multipart batch at its first refusal, unless the caller prefers otherwise, which UI5 does not say.
// Tried with @sap/cds 10.1.1, which has no switch for it. Needed until it has one, or UI5 sends the preference.
import type { RequestHandler } from 'express'

/**
 * UI5 reads a page anew in the batch of the action that it belongs to. If the batch ended at a refusal,
 * each field of the page would show another fault.
 */
export const continueOnError: RequestHandler = (req, _res, next) => {
  if (req.path.endsWith('/$batch')) req.headers.prefer ??= 'odata.continue-on-error'
  next()
}
