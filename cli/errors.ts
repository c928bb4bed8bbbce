/** Refused or failed; one line for the terminal that says what to do next. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
  readonly exitCode: number = 1
}

/** Asked in a way that cannot be answered. Exit code 2. */
export class WrongUsage extends Failure {
  override name = 'WrongUsage'
  override readonly exitCode = 2
}
