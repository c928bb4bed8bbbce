import http from 'node:http'
import { Restock, type Retry } from '../client/index.ts'
import { baseUrl, findKey, isLoopback } from './key.ts'
import { note } from './output.ts'

const RETRIES = 3

/** A client for RESTOCK_URL with its key; it waits when the rate limit is reached. */
export function openClient(): Restock {
  const url = baseUrl()
  const { key } = findKey(url)
  if (!isLoopback(url)) useProxy()
  return new Restock({
    url: url.href,
    key,
    retries: RETRIES,
    shouldRetry: ({ status }) => status === 429,
    onRetry: noteRetry,
  })
}

function noteRetry({ seconds, attempt }: Retry): void {
  note(`The rate limit is reached; trying again in ${seconds} s (${attempt} of ${RETRIES}).`)
}

/** Uses the proxy of HTTPS_PROXY or HTTP_PROXY; Node before 24.14 also needs NODE_USE_ENV_PROXY=1. */
export function useProxy(): void {
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: () => void }
  setGlobalProxyFromEnv?.()
}
