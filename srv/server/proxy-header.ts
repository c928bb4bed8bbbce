import type { RequestHandler } from 'express'

/**
 * Says once that calls come past the proxy whose word is taken: whoever sends them may claim any address.
 * Probes of health come from beside the proxy.
 */
export function notePassedProxy(warn: (message: string) => void): RequestHandler {
  let isTold = false
  return (req, _res, next) => {
    const isProxied = Boolean(req.app.get('trust proxy'))
    const isNamed = req.headers['x-forwarded-for'] !== undefined
    if (isProxied && !isNamed && !isTold && !req.path.startsWith('/health')) {
      isTold = true
      warn(
        'A call came without X-Forwarded-For, past the proxy: let the proxy alone reach this port, or set RESTOCK_TRUST_PROXY=0.',
      )
    }
    next()
  }
}
