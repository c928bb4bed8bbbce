// Many short lines in a cursor: some three bytes each where they are alike.
import { deflateRawSync, inflateRawSync } from 'node:zlib'

export const packLines = (lines: readonly string[]): string =>
  deflateRawSync(lines.join('\n')).toString('base64')

/** @returns null where it was not packed by {@link packLines} */
export function unpackLines(packed: string): string[] | null {
  try {
    return inflateRawSync(Buffer.from(packed, 'base64')).toString().split('\n').filter(Boolean)
  } catch {
    return null
  }
}
