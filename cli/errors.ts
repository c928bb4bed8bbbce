/** A refused or failed command; its message is one line that says what to do next. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
  readonly exitCode: number = 1
}

/** Wrong arguments. Exit code 2. */
export class WrongUsage extends Failure {
  override name = 'WrongUsage'
  override readonly exitCode = 2
}
