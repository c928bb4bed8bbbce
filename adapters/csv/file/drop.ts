import { createHash } from 'node:crypto'
import { Fatal } from '../../errors.ts'
import { awaited, type SourceFile, type SourceFiles } from './source-files.ts'
import { assertWhole, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { isSettled, waitUntilSettled } from './settle.ts'

/** What the names of files that are read end in. */
export const ENDINGS = ['.csv', '.csv.gz', '.xlsx']

/** A file that is whole. */
export interface FoundFile {
  name: string
  /** Size and time, where they tell whether it is still the same; null where its bytes must. */
  stamp: string | null
  /** Milliseconds since 1970 of its last change; null where that is not known. */
  changedAt: number | null
  /** The caller closes it. @throws Fatal | Retriable */
  open(): Promise<SourceFile>
}

/** The files that somebody puts down for a source: only whole ones are found. */
export class Drop {
  readonly files: SourceFiles
  readonly #settleMs: number

  /** @param settleMs for so long nothing is written to a file that is whole */
  constructor(files: SourceFiles, settleMs: number) {
    this.files = files
    this.#settleMs = settleMs
  }

  /**
   * Finds `<stem>.csv`, `<stem>.csv.gz` or `<stem>.xlsx`.
   * @returns null where none exists
   * @throws Fatal file_awaited | invalid_manifest | ambiguous_file, and like {@link SourceFiles}
   */
  async find(stem: string, signal: AbortSignal): Promise<FoundFile | null> {
    // Not asked by name: systems that do not tell small letters from capitals would find Stock.csv too.
    const present = new Set(await this.files.names(signal))
    const wanted = ENDINGS.map((ending) => stem + ending)
    const [name, other] = wanted.filter((each) => present.has(each))
    if (other) throw new Fatal('ambiguous_file', `Keep ${name} or ${other}, not both.`, name)
    const manifest = present.has(MANIFEST) ? await readManifest(this.files, signal) : null
    const listed = wanted.find((each) => manifest?.has(each))
    if (!name && listed) throw awaited(listed, `${MANIFEST} names it, and it is not there`)
    if (!name) return null
    if (manifest && !manifest.has(name)) throw awaited(name, `${MANIFEST} does not name it`)
    if (!manifest) await waitUntilSettled(this.files, name, this.#settleMs, signal)
    return this.#found(name, manifest, signal)
  }

  /**
   * What the files look like, without reading them: two that are equal are of the same files.
   * @returns null while a file is awaited
   */
  async state(stems: readonly string[], signal: AbortSignal): Promise<string | null> {
    const wanted = new Set(stems.flatMap((stem) => ENDINGS.map((ending) => stem + ending)))
    const names = await this.files.names(signal)
    const manifest = names.includes(MANIFEST) ? await readManifest(this.files, signal) : null
    const seen = []
    for (const name of names.filter((each) => each === MANIFEST || wanted.has(each))) {
      const state = await this.files.state(name, signal)
      if (!state || !isSettled(state, this.#settleMs)) return null
      const { size = state.size } = manifest?.get(name) ?? {}
      if (size !== state.size) return null
      seen.push([name, state.size, state.changedAt])
    }
    const all = new Set(names)
    if ([...(manifest?.keys() ?? [])].some((name) => wanted.has(name) && !all.has(name)))
      return null
    return createHash('sha256').update(JSON.stringify(seen)).digest('hex')
  }

  async #found(name: string, manifest: Manifest | null, signal: AbortSignal): Promise<FoundFile> {
    const state = await this.files.state(name, signal)
    const stamp = this.files.isRemote && state ? `${state.size}-${state.changedAt}` : null
    const open = async () => {
      const file = await this.files.open(name, signal)
      try {
        if (manifest) await assertWhole(file, manifest, signal)
        return file
      } catch (error) {
        await file.handle.close()
        throw error
      }
    }
    return { name, stamp, changedAt: state?.changedAt ?? null, open }
  }
}
