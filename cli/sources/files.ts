import { confirms } from '../confirm.ts'
import { print } from '../output.ts'
import { readSources } from './read.ts'
import { syncOne } from '../sync.ts'
import { toSafeText } from '../text.ts'
import { DATE_FORMATS, type DateFormat } from '../../tables/dates.ts'
import type { Restock, Source } from '../../client/index.ts'

const read = ({ streams }: Source) =>
  streams?.filter(({ preview, notes }) => preview?.length || notes?.length) ?? []

/** Whether it is a source of files, of which something is known. */
export const hasFiles = (source: Source): boolean => read(source).length > 0

/** Prints the first rows of each file as they are understood, and what to look at. */
export function printFiles(source: Source): void {
  for (const { stream, preview, notes } of read(source)) {
    print(toSafeText(`${stream}:`))
    for (const row of preview ?? []) print(toSafeText(`  ${row}`))
    for (const each of notes ?? []) print(toSafeText(`  Note: ${each}`))
  }
  if (!hasFiles(source)) return
  const { id } = source
  const format = otherDateFormat(read(source).flatMap(({ notes }) => notes ?? []))
  print(`If that is wrong: restock sources edit ${toSafeText(id)} --option date_format=${format}`)
  print('(or --option decimal=,), or correct the files.\n')
}

/** The format to try: the other order of day and month where there is one, else the one that was found. */
function otherDateFormat(notes: string[]): DateFormat {
  const found = DATE_FORMATS.find((format) => notes.some((note) => note.includes(format)))
  if (found === 'DD/MM/YYYY') return 'MM/DD/YYYY'
  return found === 'MM/DD/YYYY' ? 'DD/MM/YYYY' : (found ?? 'DD.MM.YYYY')
}

/** Windows writes `north\\2026` for `north/2026`. */
const folderOf = ({ account }: Pick<Source, 'account'>) => account.replaceAll('\\', '/')

/** Says which other sources read the same folder. */
export async function printTwins(client: Restock, { id, type, account }: Source): Promise<void> {
  const twins = (await readSources(client)).filter(
    (other) => other.id !== id && other.type === type && folderOf(other) === folderOf({ account }),
  )
  if (!twins.length) return
  const names = twins.map((twin) => twin.id).join(', ')
  const text = `Note: ${names} reads the same folder already, and leads what both have: remove one of them.`
  print(toSafeText(text))
}

/** Asks a person at the terminal whether to sync; whether it was done. */
export async function offerSync(client: Restock, { id, streams }: Source): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  if (streams?.some(({ status }) => status === 'failed')) return false
  if (!(await confirms('Is it understood right, and shall it be synced now?'))) return false
  await syncOne(client, id, { wait: true }, () => {})
  return true
}
