const EVERY_MS = 2000

/** Tells what is being done; `end` takes the last of it off a terminal. */
export interface Steps {
  (what: string): void
  end(): void
}

/** One line that changes on a terminal; elsewhere a line now and then, and none for what is quick. */
export function steps(stream: NodeJS.WriteStream): Steps {
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
