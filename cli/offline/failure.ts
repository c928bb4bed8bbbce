/** An invalid history file; `message` names the line, if there is one. */
export class HistoryError extends Error {
  override name = 'HistoryError'
  readonly exitCode = 1
}

/** Runs the command; an error in a file becomes one line on stderr and exit code 1. */
export async function reportFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException
    if (!syscall && !(error instanceof HistoryError)) throw error
    process.stderr.write(
      `${syscall ? toldOf(error as NodeJS.ErrnoException) : (error as Error).message}\n`,
    )
    process.exitCode = 1
  }
}

const PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such folder',
  EISDIR: 'is a folder',
  EACCES: 'access is not allowed',
  EPERM: 'access is not allowed',
  EROFS: 'cannot be written',
  ENOSPC: 'the disk is full',
}

/** What the system says of a file, in words. */
function toldOf({ code = '', path, message }: NodeJS.ErrnoException): string {
  const problem = PROBLEMS[code]
  return problem ? `${path ? `${path}: ` : ''}${problem}` : message
}
