// CAP's loggers, written by winston: one JSON document a line in production, readable text elsewhere.
// `cds.log.Logger` is public; its `winstonLogger()` masks no secrets and shows no id of the call. Tried with @sap/cds 10.1.1.
import { formatWithOptions } from 'node:util'
import cds from '@sap/cds'
import winston from 'winston'
import { facade } from './facade.ts'
import { isProduction } from './profiles.ts'

const SECRETS = [
  /\b(rsk_[A-Za-z0-9]+_|Bearer |Basic )[A-Za-z0-9._~+/=-]+/gi,
  // Named ones: in a form or an address, in JSON, in an object as Node prints it.
  /\b((?:access_?token|refresh_?token|client_?secret|code_?verifier)["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi,
  /([?&](?:code|state)=)[^\s&"']+/g,
]

/** Without tokens and secrets, which must never stand in a log. */
export const maskSecrets = (text: string) =>
  SECRETS.reduce((rest, secret) => rest.replace(secret, '$1***'), text)

const { combine, json, printf, timestamp } = winston.format

const readable = printf(({ level, message, label, id }) => {
  const shown = level === 'INFO' ? '' : `${level} `
  return `${shown}[${label}]${id ? ` (${id})` : ''} ${message}`
})

const format = isProduction() ? combine(timestamp(), json()) : readable

function createLogger(label: string, level: number) {
  const { levels } = facade.log
  const names = Object.keys(levels)
  // A transport for each: one that several share takes its level from the first of them.
  const transport = new winston.transports.Console({ format, level: names[level] ?? 'INFO' })
  const logger = winston.createLogger({ levels, level: 'TRACE', transports: [transport] })
  const write =
    (name: string) =>
    (...args: unknown[]) => {
      const message = maskSecrets(formatWithOptions({ colors: false }, ...args))
      const id = cds.context?.id
      logger.log({ level: name, message, label, ...(id ? { id } : {}) })
    }
  return {
    trace: write('TRACE'),
    debug: write('DEBUG'),
    log: write('INFO'),
    info: write('INFO'),
    warn: write('WARN'),
    error: write('ERROR'),
  }
}

/** Must run before the first logger is used. */
export function useWinston() {
  facade.log.Logger = createLogger
}
