// What this benchmark uses of autocannon, which brings no types.
declare module 'autocannon' {
  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
  }
  interface Options extends Request {
    url: string
    connections: number
    duration?: number
    amount?: number
    requests?: Request[]
    /** Called with each connection. */
    setupClient?: (client: { setRequests(requests: Request[]): void }) => void
  }
  interface Result {
    requests: { average: number; total: number }
    /** Milliseconds. */
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
