/** An invalid history file; `message` names the line, if there is one. */
export class HistoryError extends Error {
  override name = 'HistoryError'
  readonly exitCode = 1
}
