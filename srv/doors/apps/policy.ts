// What a page of ours may load and who may frame it, and who may send changes.
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { isSameOrigin } from '../../base/http/addresses.ts'
import { isProduction, settings } from '../../base/settings/config.ts'

/** ERP hosts that may show the apps in a frame, e.g. a launchpad: `cds.restock.frameAncestors`. */
const allowedFrames = () => ["'self'", ...[settings().frameAncestors].flat()]

/**
 * No eval and no inline script; UI5 sets styles on elements, and draws icons from data.
 * @param scripts what is allowed besides: unbuilt libraries, of development alone, need both
 */
export function pagePolicy(
  scripts: string[] = [],
  frameAncestors = allowedFrames(),
): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors,
      },
    },
    // It knows one host only; frame-ancestors says the same and more.
    xFrameOptions: false,
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isProduction() && undefined,
  })
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * Refuses changes that another site's page sends with the browser's own sign-in. A caller who brings a
 * token of its own in the header is no browser that was misled.
 */
export const sameOriginChanges: RequestHandler = (req, res, next) => {
  if (SAFE.includes(req.method) || /^bearer /i.test(req.headers.authorization ?? '')) return next()
  if (isSameOrigin(req.headers)) return next()
  const message = 'Changes are taken from the apps of this service alone.'
  res.status(403).json({ error: { code: 'cross_site', message } })
}

/** What holds data stays in no cache; what describes them may. */
export const storeNothing: RequestHandler = (req, res, next) => {
  if (!req.path.endsWith('/$metadata')) res.setHeader('Cache-Control', 'no-store')
  next()
}
