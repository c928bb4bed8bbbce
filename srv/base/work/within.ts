const TICK_MS = 200

const lateError = (milliseconds: number) => new Error(`There was no end within ${milliseconds} ms.`)

/**
 * Waits so long in the process's own time: none passes while something else holds the thread.
 * @param toError makes the error once the time is over
 */
export function within<T>(
  work: Promise<T>,
  milliseconds: number,
  toError: () => Error = () => lateError(milliseconds),
): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = Math.ceil(milliseconds / TICK_MS)
    const timer = setInterval(() => {
      if (--ticks > 0) return
      clearInterval(timer)
      reject(toError())
    }, TICK_MS)
    work.then(resolve, reject).finally(() => clearInterval(timer))
  })
}
