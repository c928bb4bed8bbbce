const EVERY_MS = 2000

/** Reports the current step of a command; `end` clears it from a terminal. */
export interface StepReport {
  (what: string): void
  end(): void
}

/** On a terminal one line that is rewritten; elsewhere at most one line every two seconds. */
export function createStepReport(stream: NodeJS.WriteStream): StepReport {
  let notedAt = Date.now()
  const tell = (what: string) => {
    if (stream.isTTY) {
      stream.write(`\r\u001b[K${what}`)
      return
    }
    if (Date.now() - notedAt < EVERY_MS) return
    notedAt = Date.now()
    stream.write(`${what}\n`)
  }
  const end = () => void (stream.isTTY && stream.write('\r\u001b[K'))
  return Object.assign(tell, { end })
}
