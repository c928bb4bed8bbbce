export interface Answer {
  status: number
  /** The body as it came. */
  text: string
  /** The body as JSON; undefined where there is none, or where something else was asked for. */
  body: unknown
  header(name: string): string | undefined
}
