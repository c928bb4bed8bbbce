import type { Answer } from './answer.ts'

/** Refused or failed; one line for the terminal that says what to do next. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
  readonly exitCode: number = 1
}

/** No usable answer, which may pass: nobody listens, the time is up, a proxy fails. */
export class Unreachable extends Failure {
  override name = 'Unreachable'
}

/** Asked in a way that cannot be answered. Exit code 2. */
export class WrongUsage extends Failure {
  override name = 'WrongUsage'
  override readonly exitCode = 2
}

/** The API answered with an error; its body is what `--json` prints. */
export class ApiFailure extends Failure {
  override name = 'ApiFailure'
  readonly answer: Answer
  readonly code: string
  constructor(message: string, code: string, answer: Answer) {
    super(message)
    this.code = code
    this.answer = answer
  }
}
