// CAP's loggers, written by winston: one JSON document a line in production, readable text elsewhere.
// `cds.log.Logger` is public; its `winstonLogger()` masks no secrets and shows no id of the call. Tried with @sap/cds 10.1.1.
import { formatWithOptions } from 'node:util'
import cds from '@sap/cds'
import winston from 'winston'
import { facade } from './facade.ts'
import { ENVIRONMENT, isSecret } from '../settings.ts'
import { isProduction } from './profiles.ts'

const SECRET_VARIABLES = Object.entries(ENVIRONMENT.shape)
  .filter(([, schema]) => isSecret(schema))
  .map(([name]) => name)

const NAMES =
  'authorization|cookie|credentials|jwt|pass(?:word|phrase|wd)?|pwd|(?:api|private|encryption)_?key|' +
  '(?:access|refresh|id|csrf)_?token|token|id_?token_?hint|(?:client_?)?secret|code_?verifier'

const SECRETS = [
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^]*?(?=-----END|$)/g,
  /\b(rsk_[A-Za-z0-9]+_|whsec_|Bearer +|Basic +)[A-Za-z0-9._~+/=-]+/gi,
  /\b(eyJ)[\w-]{5,}\.[\w-]+\.?[\w-]*/g,
  /\b((?:__Host-)?restock(?:-sign-in|-consent-\d+)?=)[^;\s"']+/g,
  // Named ones: in a form or an address, in JSON (also within a text), in an object as Node prints it.
  new RegExp(`((?:${NAMES})\\\\*["']?\\s*[=:]\\s*\\\\*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi'),
  new RegExp(`((?:${NAMES})\\\\*["']?\\s*[=:]\\s*\\\\*)'(?:[^'\\\\]|\\\\.)*'?`, 'gi'),
  new RegExp(`((?:${NAMES})\\\\*["']?\\s*[=:]\\s*\\\\*)[^\\s"'&,;}\\]]+`, 'gi'),
  /([?&](?:code|state|ticket)=)[^\s&"']+/g,
  // The password of an address.
  /(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/gi,
]

/** Secrets of the configuration, wherever they stand. */
const configured = () =>
  [
    ...SECRET_VARIABLES.flatMap((name) => process.env[name]?.split(',') ?? []),
    ...Object.values(cds.env.requires).map(
      (service) => (service as Bound | undefined)?.credentials?.password,
    ),
  ].filter((secret) => typeof secret === 'string' && secret.trim().length >= 8) as string[]

interface Bound {
  credentials?: { password?: unknown }
}

/** Without tokens and secrets, which must never stand in a log. */
export function maskSecrets(text: string) {
  const known = configured().reduce((rest, secret) => rest.replaceAll(secret.trim(), '***'), text)
  return SECRETS.reduce((rest, secret) => rest.replace(secret, '$1***'), known)
}

/** A sign-in that fails has what was sent in its message: its name must do. */
const withoutMessage = (value: unknown) =>
  value instanceof Error
    ? [value.name, (value as { code?: string }).code].filter(Boolean).join(' ')
    : value

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
      const shown = label === 'auth' ? args.map(withoutMessage) : args
      const message = maskSecrets(formatWithOptions({ colors: false }, ...shown))
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
