// Captures the output of the service. Import it first: loggers keep a reference to the console.
import { format } from 'node:util'

export const capturedOutput: string[] = []

for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  // eslint-disable-next-line no-console -- its output is what the test searches
  console[name] = (...args) => void capturedOutput.push(format(...args))
}

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = (text: string, ...rest: []) => {
    capturedOutput.push(String(text))
    return write(text, ...rest)
  }
}
