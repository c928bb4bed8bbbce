// Calls written byte by byte: what no HTTP client would send.
import net from 'node:net'
import { serverUrl } from '../../support/server.ts'

export interface RawAnswer {
  status: number
  text: string
  /** Whether the server has closed the connection. */
  isClosed: boolean
}

/** Sends this and nothing more; waits until the server closes, or for so long. */
export function sendRaw(bytes: string | Buffer, waitMs = 3_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(serverUrl())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes))
    const end = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      const text = Buffer.concat(chunks).toString()
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text, isClosed })
    }
    const timer = setTimeout(() => end(false), waitMs)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('end', () => end(true))
    socket.once('error', reject)
  })
}

/** A call's head. */
export const headOf = (method: string, path: string, headers: Record<string, string | number>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
