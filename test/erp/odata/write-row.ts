import { quote, writerOf } from './json.ts'
import type { EntitySet, Rows, Service } from './set.ts'

export interface RowFormat {
  service: Service
  /** Address of the service, without a closing slash. */
  base: string
  /** Whether V2 rows carry `__metadata`. */
  metadata: boolean
  ieee754: boolean
}

export interface Wanted {
  select: string[] | null
  selectBelow: string[] | null
  expand: string | null
}

/** Writes the row loaded last as JSON. */
export function rowWriter(
  set: EntitySet,
  rows: Rows,
  wanted: Wanted,
  format: RowFormat,
): () => string {
  const { version } = format.service
  const parts: (() => string)[] = []
  if (version === 2 && format.metadata) parts.push(metadata(set, rows, format))
  for (const name of wanted.select ?? set.fields.keys()) {
    const text = valueWriter(set, rows, name, format)
    const label = `"${name}":`
    parts.push(() => label + text())
  }
  for (const [name, child] of Object.entries(set.navigations)) {
    if (name === wanted.expand) parts.push(expanded(name, child, rows, wanted, format))
    else if (wanted.select === null && version === 2) {
      const uri = entityUri(set, rows, format)
      parts.push(() => `"${name}":{"__deferred":{"uri":"${uri()}/${name}"}}`)
    }
  }
  return () => {
    let text = '{' + parts[0]!()
    for (let i = 1; i < parts.length; i++) text += ',' + parts[i]!()
    return text + '}'
  }
}

function valueWriter(set: EntitySet, rows: Rows, name: string, format: RowFormat): () => string {
  const { version } = format.service
  const ready = version === 2 ? rows.json?.(name) : undefined
  if (ready) return ready
  const write = writerOf(set.fields.get(name)!.edm, version, format.ieee754)
  const value = rows.value(name)
  return () => write(value())
}

function metadata(set: EntitySet, rows: Rows, format: RowFormat): () => string {
  const uri = entityUri(set, rows, format)
  const type = `","type":"${format.service.name}.${set.type}"}`
  return () => {
    const address = uri()
    return '"__metadata":{"id":"' + address + '","uri":"' + address + type
  }
}

function entityUri(set: EntitySet, rows: Rows, { base }: RowFormat): () => string {
  const start = `${base}/${set.name}(`
  const values = set.keys.map((key) => rows.value(key))
  const single = values.length === 1
  const labels = set.keys.map((key, i) => `${i ? "'," : ''}${single ? '' : `${key}=`}'`)
  return () => {
    let text = start
    for (let i = 0; i < values.length; i++) text += labels[i] + keyText(values[i]!() as string)
    return text + "')"
  }
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
  wanted: Wanted,
  format: RowFormat,
): () => string {
  const below = child.open()
  const only = { select: wanted.selectBelow, selectBelow: null, expand: null }
  const write = rowWriter(child, below, only, format)
  const [open, close] = format.service.version === 2 ? ['{"results":[', ']}'] : ['[', ']']
  return () => {
    const [from, to] = rows.children!(name)
    let text = quote(name) + ':' + open
    let first = true
    for (let slot = from; slot < to; slot++) {
      if (!below.load(slot)) continue
      text += first ? write() : ',' + write()
      first = false
    }
    return text + close
  }
}
