// CAP ends a multipart batch at its first refusal, unless the caller prefers otherwise, which UI5 does not say.
// Tried with @sap/cds 10.1.1, which has no switch for it. Needed until it has one, or UI5 sends the preference.
import type { RequestHandler } from 'express'

/**
 * UI5 sends an action and the refresh of its page in one batch. If the batch ended at the refused action, every
 * field of the page would show an error of its own.
 */
export const continueOnError: RequestHandler = (req, _res, next) => {
  if (req.path.endsWith('/$batch')) req.headers.prefer ??= 'odata.continue-on-error'
  next()
}
