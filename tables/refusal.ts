/** The setting that would make a file readable, with the values that would. */
export interface Remedy {
  setting: 'date_format' | 'decimal'
  values: string[]
}

/** A file that cannot be read as a whole. Its message is a sentence without a capital, to stand behind file and line. */
export class TableRefused extends Error {
  override name = 'TableRefused'
  /** Stable and snake_case: docs/guides/csv.md lists the codes. */
  readonly code: string
  /** Null where it concerns no line. */
  line: number | null
  readonly remedy: Remedy | null
  /** Where the header seems to be instead; null where it is not found either. */
  headerLine: number | null = null

  constructor(code: string, message: string, line: number | null = null, remedy?: Remedy) {
    super(message)
    this.code = code
    this.line = line
    this.remedy = remedy ?? null
  }
}

const MAX_SHOWN = 40

/** A cell as such a message quotes it. */
export const shown = (text: string) =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
