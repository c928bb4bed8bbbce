// All that this process writes: one JSON document a line in production, readable text elsewhere, and no secrets.
// It knows no CAP, because it stands before it and in worker threads too.
import { Writable } from 'node:stream'
import { isMainThread } from 'node:worker_threads'
import winston from 'winston'
import { harmfulProfiles } from '../settings/profile-names.ts'

export type Level = 'ERROR' | 'WARN' | 'INFO' | 'DEBUG' | 'TRACE'

interface Entry {
  level: Level
  /** The part of the service, such as `sync`. */
  label: string
  /** Of the call that it was written in. */
  id?: string
  /** Of OpenTelemetry, where it is recorded. */
  trace?: string
  message: string
}

const profilesOf = ({ NODE_ENV, CDS_ENV }: NodeJS.ProcessEnv) =>
  [NODE_ENV, ...(CDS_ENV?.split(',') ?? [])].filter(Boolean).map((name) => name!.trim())

/** Whether lines are JSON, as in production. */
export const isJson = () => harmfulProfiles(profilesOf(process.env)).length > 0

/** Variables that are secret by their names; those of CAP among them. */
const VARIABLE = /^(RESTOCK|CDS)_.*(KEY|KEY_PREVIOUS|PASSWORD|SECRET|TOKEN)$/i

/** Shorter ones would mask ordinary words. */
const SHORTEST = 8

let further: () => readonly string[] = () => []

/** Names secrets that are masked wherever they stand, besides those of the environment. */
export const maskAlso = (list: () => readonly string[]) => (further = list)

function secrets(): string[] {
  const variables = Object.keys(process.env).filter((name) => VARIABLE.test(name))
  const values = variables.flatMap((name) => process.env[name]!.split(','))
  const all = [...values, ...further()].map((secret) => secret.trim())
  const long = new Set(all.filter(({ length }) => length >= SHORTEST))
  return [...long].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
}

const mask = (text: string) => maskSecrets(text, secrets())

/** Where winston's formats leave the line. */
const MESSAGE = Symbol.for('message')

const { combine, printf, timestamp } = winston.format

const masked = winston.format((info) => ({ ...info, message: mask(String(info.message)) }))

const readable = printf(({ level, message, label, id }) => {
  const shown = level === 'INFO' ? '' : `${level} `
  return `${shown}[${String(label)}]${id ? ` (${String(id)})` : ''} ${String(message)}`
})

/** Of what a line consists, in this order. */
const document = printf(({ timestamp, level, label, id, trace, message }) =>
  JSON.stringify({
    timestamp,
    level,
    label,
    ...(id ? { id } : {}),
    ...(trace ? { trace } : {}),
    message,
  }),
)

const format = combine(masked(), timestamp(), isJson() ? document : readable)

function toLine(entry: Entry): string {
  const info = format.transform({ ...entry }, format.options)
  return String((info as Record<symbol, unknown>)[MESSAGE])
}

let isOwn = false

/** Past the guard: the line is masked. */
function writeLine(line: string) {
  isOwn = true
  try {
    // eslint-disable-next-line no-console -- the one place
    console.log(line)
  } finally {
    isOwn = false
  }
}

const lines = new Writable({
  decodeStrings: false,
  write(line: string, _encoding, done) {
    writeLine(line)
    done()
  },
})

const LEVELS: Record<Level, number> = { ERROR: 0, WARN: 1, INFO: 2, DEBUG: 3, TRACE: 4 }

const logger = winston.createLogger({
  ...{ levels: LEVELS, level: 'TRACE', format },
  transports: [new winston.transports.Stream({ stream: lines, eol: '' })],
})

export const writeEntry = (entry: Entry) => void logger.log({ ...entry })

/** As CAP's own logger begins a line. */
const LABEL = /^\[([\w./@-]{1,40})\] -? ?/

/** CAP's first line, which it writes before it knows levels; `quietStart` leaves out those after it. */
const FIRST = '[cds] - bootstrapping from'

/** Text that something else has written: a library, CAP before it is started, a worker thread. */
function foreignLine(text: string, level: Level): string {
  if (!isJson()) return text.startsWith(FIRST) && !process.env.DEBUG ? '' : mask(text)
  const message = text.trim()
  if (!message) return ''
  const label = LABEL.exec(message)
  const entry = { level, label: label?.[1] ?? 'console', message: message.slice(label?.[0].length) }
  return `${toLine(entry)}\n`
}

function guard(stream: NodeJS.WriteStream, level: Level) {
  const write = stream.write.bind(stream)
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.findLast((each) => typeof each === 'function') as (() => void) | undefined
    return write(isOwn ? text : foreignLine(text, level), done)
  }
}

/** Node writes its warnings past every stream, from threads too. */
function tellWarnings() {
  const own = process.listeners('warning').find(({ name }) => name === 'onWarning')
  // It is not there with `--no-warnings`.
  if (!own) return
  process.removeListener('warning', own)
  process.on('warning', (warning) => {
    const message = String(warning)
    if (isMainThread) writeEntry({ level: 'WARN', label: 'node', message })
    else process.stderr.write(`[node] - ${message}\n`)
  })
}

/** As Node ends a process by an error, unless somebody else takes it. */
function endByError(error: unknown) {
  if (process.listenerCount('uncaughtException') > 1) return
  const message = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  // Winston may write it only when the process has ended.
  writeLine(toLine({ level: 'ERROR', label: 'node', message }))
  process.exit(1)
}

const GUARDED = Symbol.for('restock.guarded')

/** From now on nothing is written past `maskSecrets`. A thread's output passes through the main thread. */
export function guardOutput() {
  if (GUARDED in process) return
  Object.assign(process, { [GUARDED]: true })
  tellWarnings()
  if (!isMainThread) return
  guard(process.stdout, 'INFO')
  guard(process.stderr, 'ERROR')
  process.on('uncaughtException', endByError)
}

// What must never stand in a log. Every pattern here takes time in proportion to the text: a caller can choose it.

/** Longest part of a text that is looked through, at its beginning and at its end, characters. */
const READ = 32_768
/** Of a text that is longer than both together these are shown, characters. */
const SHOWN_HEAD = 12_000
const SHOWN_TAIL = 4_000

const NAMES =
  'authorization|cookie|credentials|jwt|pass(?:word|phrase|wd)?|pwd|(?:api|private|encryption)[_-]?key|' +
  '(?:access|refresh|id|csrf)_?token|token|id_?token_?hint|(?:client_?)?secret|code_?verifier|signature|assertion'

const NAMED = `((?:${NAMES})\\\\*["']?\\s*[=:]\\s*\\\\*)`

export const SECRETS = [
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^]*?(?=-----END|$)/g,
  /(?<![a-z\d])(rsk_[a-z\d]+_|whsec_|Bearer +|Basic +)[a-z\d._~+/=-]+/gi,
  // A start within a run of its characters would look at the rest of the run once more.
  /(?<![\w-])(eyJ)[\w-]{5,}\.[\w-]+\.?[\w-]*/g,
  /\b((?:__Host-)?restock(?:-sign-in|-consent-\d+)?=)[^;\s"']+/g,
  // Named ones: in a form or an address, in JSON (also within a text), in an object as Node prints it.
  new RegExp(`${NAMED}"(?:[^"\\\\]|\\\\.)*"?`, 'gi'),
  new RegExp(`${NAMED}'(?:[^'\\\\]|\\\\.)*'?`, 'gi'),
  // A list of them.
  new RegExp(`${NAMED}\\[[^\\]]*\\]?`, 'gi'),
  // Headers as they are sent, to the end of their line, unless they are masked already.
  /\b((?:cookie|authorization) *: *)(?![ *{[])[^\r\n"']+/gi,
  new RegExp(`${NAMED}[^\\s"'&,;}\\]]+`, 'gi'),
  /([?&](?:code|state|ticket)=)[^\s&"']+/g,
  // The same in an object: what has a digit is no code of an error.
  /\b((?:code|state|ticket)["']?: *["'])(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{20,}/g,
  // The password of an address.
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
]

const ends = (text: string) =>
  text.length <= 2 * READ ? [text] : [text.slice(0, READ), text.slice(-READ)]

/**
 * Without tokens and secrets, which must never stand in a log. Of a long text the middle is left out.
 * @param known secrets, wherever they stand
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const masked = ends(text).map((part) => {
    const rest = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), part)
    return SECRETS.reduce((rest, secret) => rest.replace(secret, '$1***'), rest)
  })
  const [head = '', tail = head] = masked
  if (masked.length === 1 && head.length <= SHOWN_HEAD + SHOWN_TAIL) return head
  // Cut after masking: half a secret is not known for one.
  const left = text.length - SHOWN_HEAD - SHOWN_TAIL
  return `${head.slice(0, SHOWN_HEAD)} … ${left} characters left out … ${tail.slice(-SHOWN_TAIL)}`
}
