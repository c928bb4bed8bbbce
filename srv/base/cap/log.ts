// CAP's loggers, written by winston (srv/base/log). Imported first, for its effect: CAP keeps loggers, those too that were made before,
// by itself and by modules while they are imported. `cds.log.Logger` is public, `cds.log.loggers` is not. Tried with
// @sap/cds 10.1.1. Needed because CAP masks no secrets.
import { formatWithOptions } from 'node:util'
import cds from '@sap/cds'
import { isJson, type Level, maskAlso, writeEntry } from '../log/output.ts'
import { traceId } from '../log/trace.ts'
import { ENVIRONMENT, isSecret } from '../settings/settings.ts'
import { facade } from './facade.ts'

const SECRET_VARIABLES = Object.entries(ENVIRONMENT.shape)
  .filter(([, schema]) => isSecret(schema))
  .map(([name]) => name)

const SECRET_NAMES = /key|pass|previous|secret|token/i

/** The secrets in a binding: texts whose names tell that they are secret, and passwords in addresses. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return SECRET_NAMES.test(name) ? [value] : passwordOf(value)
  if (typeof value !== 'object' || !value) return []
  return Object.entries(value).flatMap(([key, member]) =>
    secretsIn(member, Array.isArray(value) ? name : key),
  )
}

function passwordOf(address: string): string[] {
  const password = address.includes('://') && URL.parse(address)?.password
  return password ? [password, decode(password)] : []
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Secrets of the bindings, which are known once CAP has started. */
const ofBindings = new WeakMap<object, string[]>()

/** Secrets of the configuration, wherever they stand. */
function configured(): string[] {
  const variables = SECRET_VARIABLES.flatMap((name) => process.env[name]?.split(',') ?? [])
  const requires = Object.hasOwn(cds, 'env') ? (cds.env.requires as object) : {}
  let bound = ofBindings.get(requires)
  if (!bound) {
    const services = Object.values(requires) as { credentials?: unknown }[]
    bound = services.flatMap((service) => secretsIn(service?.credentials))
    ofBindings.set(requires, bound)
  }
  return [...variables.flatMap((text) => [text, ...passwordOf(text)]), ...bound]
}

/** The message of a failed sign-in contains what was sent, so only its name is logged. */
const withoutMessage = (value: unknown) =>
  value instanceof Error
    ? [value.name, (value as { code?: string }).code].filter(Boolean).join(' ')
    : value

function createLogger(label: string, level: number) {
  // While a person reads the log, an object is written in one line.
  const options = { colors: false, ...(!isJson() && { breakLength: Infinity }) }
  const write = (name: Level) => {
    if (facade.log.levels[name]! > level) return () => {}
    return (...args: unknown[]) => {
      const shown = label === 'auth' ? args.map(withoutMessage) : args
      const message = formatWithOptions(options, ...shown)
      writeEntry({ level: name, label, id: cds.context?.id, trace: traceId(), message })
    }
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

maskAlso(configured)
facade.log.Logger = createLogger
for (const logger of Object.values(facade.log.loggers)) {
  Object.assign(logger, createLogger(logger.label, logger.level))
}
