import type { Edm, Value } from './set.ts'

const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const NOT_ASCII = /[\u007f-\uffff]/g

/** A JSON string in ASCII, as the writer needs it. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    NOT_ASCII,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The JSON writer for a type; with `ieee754` V4's decimals are strings. */
export function writerOf(edm: Edm, version: 2 | 4, ieee754: boolean): (value: Value) => string {
  const write = version === 2 ? V2[edm] : edm === 'Decimal' && ieee754 ? quoted : V4[edm]
  return (value) => (value === null ? 'null' : write(value))
}

type Write = (value: Exclude<Value, null>) => string

const quoted: Write = (value) => quote(String(value))
const plain: Write = (value) => String(value)
const iso = (value: Exclude<Value, null>) => new Date(Number(value)).toISOString()

const COMMON = { String: quoted, Boolean: plain, Int: plain, Time: quoted, Date: quoted }
const V2: Record<Edm, Write> = {
  ...COMMON,
  Decimal: quoted,
  DateTime: (value) => `"/Date(${value})/"`,
  DateTimeOffset: (value) => `"/Date(${value}+0000)/"`,
}
const V4: Record<Edm, Write> = {
  ...COMMON,
  Decimal: plain,
  Date: (value) => `"${iso(value).slice(0, 10)}"`,
  DateTime: (value) => `"${iso(value)}"`,
  DateTimeOffset: (value) => `"${iso(value)}"`,
}
