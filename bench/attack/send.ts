import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './bodies.ts'

/** How long an attacker waits; the service itself cuts off after 30 s. */
const PATIENCE_MS = 90_000

/** Sends an attack and waits. @returns the status, or what came instead */
export async function send(
  origin: string,
  path: string,
  { chunks, raw, headers, method = 'POST' }: Attack,
  further: Record<string, string>,
): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = net.connect(Number(port), hostname)
  const received: Buffer[] = []
  const answered = new Promise<string>((resolve) => {
    const end = (why: string) => () => {
      const text = Buffer.concat(received).toString('latin1')
      resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? why)
    }
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk)
      end('')()
    })
    socket.once('end', end('closed')).once('close', end('closed')).once('error', end('reset'))
    setTimeout(end('no answer'), PATIENCE_MS).unref()
  })
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Accept: application/json']
  const all = Object.entries({ ...headers, ...further })
  const lines = [...head, ...all.map(([name, value]) => `${name}: ${value}`), '', '']
  socket.write(raw ?? lines.join('\r\n'))
  for (const chunk of raw === undefined ? chunks : []) {
    if (socket.destroyed || !socket.writable) break
    socket.write(chunk)
    await sleep(0)
  }
  const answer = await answered
  socket.destroy()
  return answer
}
