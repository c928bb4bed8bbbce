import type { FoundColumns } from './columns.ts'
import type { Encoding } from './encoding.ts'
import type { Formats } from './formats.ts'

const SEPARATOR_NAMES: Record<string, string> = { '\t': 'tab', ';': '";"', '|': '"|"' }

/**
 * How a file was understood, where it is not written as the documentation's own examples are; null for such a file.
 *
 * @example 'separated by ";", decimal sign ",", date as DD.MM.YYYY, Artikel read as sku'
 */
export function describeTable(
  { columns, renamed, delimiter }: FoundColumns & { delimiter: string },
  formats: Formats,
  encoding: Encoding,
): string | null {
  const dates = [...columns.keys()].flatMap((column) => {
    const format = formats.foundDateFormatOf(column)
    return format && format !== 'YYYY-MM-DD' ? [{ column, format }] : []
  })
  const byFormat = Map.groupBy(dates, ({ format }) => format)
  const parts = [
    ...(encoding === 'UTF-8' ? [] : [`written in ${encoding}`]),
    ...(delimiter in SEPARATOR_NAMES ? [`separated by ${SEPARATOR_NAMES[delimiter]}`] : []),
    ...(formats.decimal === ',' ? ['decimal sign ","'] : []),
    ...[...byFormat].map(
      ([format, those]) => `${those.map(({ column }) => column).join(', ')} as ${format}`,
    ),
    ...[...renamed].map(([column, name]) => `${name} read as ${column}`),
  ]
  return parts.length ? parts.join(', ') : null
}

/** What a person should look at in a text that is not UTF-8. */
export const ENCODING_WARNING =
  'it is not UTF-8 and was read as Windows-1252 (Latin-1): look at names with umlauts, or save it as CSV UTF-8'
