/** The file cannot be read as a history; `message` names the line where there is one. */
export class HistoryError extends Error {
  override name = 'HistoryError'
  readonly exitCode = 1
}
