import { keyText } from '../odata/object-set.ts'
import type { Patches, Row } from '../odata/object-set.ts'

/** Rows that changes have altered, added or removed (null). */
export class PatchStore implements Patches {
  readonly #bySet = new Map<string, Map<string, Row | null>>()
  #version = 0

  get(set: string): Map<string, Row | null> | undefined {
    return this.#bySet.get(set)
  }

  version(): number {
    return this.#version
  }

  /** @param row the changed fields and the key; null removes the row */
  put(set: string, key: Row, row: Row | null): void {
    const patches = this.#bySet.get(set) ?? new Map<string, Row | null>()
    this.#bySet.set(set, patches)
    const text = keyText(Object.keys(key), key)
    const earlier = patches.get(text)
    patches.set(text, row && { ...earlier, ...row, ...key })
    this.#version++
  }
}
