import { writerOf } from './json.ts'
import type { AsciiWriter } from './ascii-writer.ts'
import type { EntitySet, Rows, Service } from './set.ts'

export interface RowFormat {
  service: Service
  /** Address of the service, without a closing slash. */
  base: string
  /** Whether V2 rows carry `__metadata`. */
  metadata: boolean
  ieee754: boolean
}

export interface SelectedFields {
  select: string[] | null
  selectBelow: string[] | null
  expand: string | null
}

const COMMA = 0x2c
const CLOSE = 0x7d

/** Writes the loaded row as JSON. @returns a function that writes it and returns the number of expanded rows */
export function rowWriter(
  set: EntitySet,
  rows: Rows,
  wanted: SelectedFields,
  format: RowFormat,
  out: AsciiWriter,
): () => number {
  const { version } = format.service
  const template = new Template()
  template.fixed('{')
  if (version === 2 && format.metadata) metadata(template, set, rows, format)
  for (const name of wanted.select ?? set.fields.keys()) {
    template.member(name)
    value(template, set, rows, name, format)
  }
  if (wanted.select === null && version === 2) deferred(template, set, rows, wanted, format)
  const write = template.compile(out)
  const child = wanted.expand === null ? undefined : set.navigations[wanted.expand]
  const below = child && expanded(wanted.expand!, child, rows, wanted, format, out)
  return () => {
    write()
    const rowsBelow = below?.() ?? 0
    out.byte(CLOSE)
    return rowsBelow
  }
}

/** Fixed texts and value writers, alternating. */
class Template {
  readonly #fixed = ['']
  readonly #values: (() => string)[] = []
  #members = 0

  fixed(text: string): void {
    this.#fixed[this.#fixed.length - 1] += text
  }

  value(value: () => string): void {
    this.#values.push(value)
    this.#fixed.push('')
  }

  member(name: string): void {
    this.fixed(`${this.#members++ ? ',' : ''}"${name}":`)
  }

  compile(out: AsciiWriter): () => void {
    const fixed = this.#fixed.map((text) => Buffer.from(text, 'latin1'))
    const values = this.#values
    const last = fixed.at(-1)!
    return () => {
      for (let i = 0; i < values.length; i++) {
        out.bytes(fixed[i]!)
        out.text(values[i]!())
      }
      out.bytes(last)
    }
  }
}

function value(
  template: Template,
  set: EntitySet,
  rows: Rows,
  name: string,
  { service: { version }, ieee754 }: RowFormat,
): void {
  const constant = version === 2 ? rows.constant?.(name) : undefined
  if (constant !== undefined) return template.fixed(constant)
  const raw = version === 2 ? rows.raw?.(name) : undefined
  const { edm } = set.fields.get(name)!
  if (!raw) {
    const write = writerOf(edm, version, ieee754)
    const read = rows.value(name)
    return template.value(() => write(read()))
  }
  const mark = edm === 'Boolean' ? '' : '"'
  template.fixed(mark)
  template.value(raw)
  template.fixed(mark)
}

function metadata(template: Template, set: EntitySet, rows: Rows, format: RowFormat): void {
  template.member('__metadata')
  template.fixed('{"id":"')
  entityUri(template, set, rows, format)
  template.fixed('","uri":"')
  entityUri(template, set, rows, format)
  template.fixed(`","type":"${format.service.name}.${set.type}"}`)
}

function deferred(
  template: Template,
  set: EntitySet,
  rows: Rows,
  wanted: SelectedFields,
  format: RowFormat,
): void {
  for (const name of Object.keys(set.navigations)) {
    if (name === wanted.expand) continue
    template.member(name)
    template.fixed('{"__deferred":{"uri":"')
    entityUri(template, set, rows, format)
    template.fixed(`/${name}"}}`)
  }
}

function entityUri(template: Template, set: EntitySet, rows: Rows, { base }: RowFormat): void {
  template.fixed(`${base}/${set.name}(`)
  for (const [i, key] of set.keys.entries()) {
    template.fixed(`${i ? "'," : ''}${set.keys.length === 1 ? '' : `${key}=`}'`)
    const read = rows.value(key)
    const raw = rows.raw?.(key)
    template.value(set.hasPlainKeys && raw ? raw : () => keyText(read() as string))
  }
  template.fixed("')")
}

const PLAIN_KEY = /^[\w-]*$/

function keyText(value: string): string {
  return PLAIN_KEY.test(value)
    ? value
    : encodeURIComponent(value.replaceAll("'", "''")).replaceAll("'", '%27')
}

function expanded(
  name: string,
  child: EntitySet,
  rows: Rows,
  wanted: SelectedFields,
  format: RowFormat,
  out: AsciiWriter,
): () => number {
  const below = child.open()
  const only = { select: wanted.selectBelow, selectBelow: null, expand: null }
  const write = rowWriter(child, below, only, format, out)
  const [open, close] = format.service.version === 2 ? ['{"results":[', ']}'] : ['[', ']']
  const none = wanted.select?.length === 0 && !format.metadata
  const start = `${none ? '' : ','}"${name}":${open}`
  return () => {
    const [from, to] = rows.children!(name)
    out.text(start)
    let written = 0
    for (let slot = from; slot < to; slot++) {
      if (!below.load(slot)) continue
      if (written++) out.byte(COMMA)
      write()
    }
    out.text(close)
    return written
  }
}
