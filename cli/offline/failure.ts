import { HistoryError } from './history-error.ts'

/** Runs the command; an error in a file becomes one line on stderr and exit code 1. */
export async function reportFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const expected = error instanceof HistoryError || (error as NodeJS.ErrnoException).syscall
    if (!expected) throw error
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
