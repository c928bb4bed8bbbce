import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

export interface Heard {
  path: string
  id: string
  body: string
  headers: Record<string, string>
}

type Behaviour = (response: http.ServerResponse, call: number) => unknown

/** A real receiver of webhooks on a port of its own. */
export class Receiver {
  readonly heard: Heard[] = []
  behave: Behaviour
  #server: http.Server

  constructor(behave: Behaviour = (response) => response.writeHead(204).end()) {
    this.behave = behave
    this.#server = http.createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const headers = request.headers as Record<string, string>
        const body = Buffer.concat(chunks).toString()
        this.heard.push({ path: request.url!, id: headers['webhook-id']!, body, headers })
        this.behave(response, this.heard.length)
      })
    })
  }

  async start() {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  get url() {
    return `http://127.0.0.1:${this.port}/hook`
  }

  /** What was heard once there are so many of them. */
  async hears(count: number): Promise<Heard[]> {
    await until(() => this.heard.length >= count)
    return this.heard
  }

  async stop() {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Whether a call was signed with this secret. */
export function isSigned({ body, headers }: Heard, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

export async function until(holds: () => boolean | Promise<boolean>, seconds = 120) {
  const end = Date.now() + seconds * 1000
  // Whoever asks all the time takes the time from the deliveries.
  for (let pause = 20; !(await holds()); pause = Math.min(250, 1.3 * pause)) {
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${holds}`)
    await sleep(pause)
  }
}
