// Keeps what the service says. To be imported first: loggers hold on to the console.
import { format } from 'node:util'

export const heard: string[] = []

for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  // eslint-disable-next-line no-console -- what is said to it is what is searched
  console[name] = (...args) => void heard.push(format(...args))
}

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = ((text: string, ...rest: []) => {
    heard.push(String(text))
    return write(text, ...rest)
  }) as typeof stream.write
}
