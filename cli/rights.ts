import { print } from './output.ts'
import { tableOf } from './table.ts'
import { toSafeText } from './text.ts'
import type { Source } from '../client/index.ts'

/** Prints the needed and the granted rights, and the streams that cannot be read. */
export function printRights(source: Source): void {
  printNeededRights(source)
  const closed =
    source.streams?.filter(({ status }) => status === 'forbidden' || status === 'failed') ?? []
  if (closed.length > 0) print('\nStreams that cannot be read:')
  for (const { stream, status, message } of closed) {
    print(toSafeText(`  ${stream}: ${status}${message ? `, ${message}` : ''}`))
  }
  print('')
}

/** Prints the needed and the granted rights. */
export function printNeededRights({ needed_rights, granted_rights }: Source): void {
  const needed = needed_rights ?? []
  const granted = new Set(granted_rights ?? [])
  if (needed.length > 0) {
    const count = needed.filter((right) => granted.has(right)).length
    print(`\nGranted rights: ${count} of ${needed.length}`)
    print(
      tableOf<string>(
        [
          { head: 'Needed', value: (right) => right },
          { head: 'Granted', value: (right) => (granted.has(right) ? right : 'NOT GRANTED') },
        ],
        needed,
      ),
    )
  }
}
