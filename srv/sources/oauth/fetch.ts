import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { rootCertificates } from 'node:tls'
import axios from 'axios'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { Fatal, Retriable } from '../../../adapters/errors.ts'

const MAX_ANSWER_BYTES = 1_000_000

/**
 * What the OAuth library sends its requests with: no redirect is followed, no answer may be large, and
 * a failure says nothing of what was sent.
 * @param caFile PEM file of certification authorities that are trusted besides the usual ones
 * @throws Fatal `ca_file_unreadable`
 */
export function oauthFetch(caFile: string | null): CustomFetch {
  const agent = caFile ? { httpsAgent: new Agent({ ca: readCa(caFile) }) } : {}
  return (url, options) => send(url, options, agent)
}

async function send(
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
  agent: { httpsAgent?: Agent },
): Promise<Response> {
  try {
    const {
      status,
      data,
      headers: answered,
    } = await axios.request<string>({
      ...{ url, method, headers, data: body?.toString(), signal },
      maxRedirects: 0,
      maxContentLength: MAX_ANSWER_BYTES,
      responseType: 'text',
      transformResponse: (text: string) => text,
      validateStatus: () => true,
      ...{ proxy: false, ...agent },
    })
    const isBodiless = status === 204 || status === 304
    return new Response(isBodiless ? null : data, { status, headers: flat(answered) })
  } catch (error) {
    // The error of the HTTP client holds the whole request, secrets included: it ends here.
    const code = (error as { code?: string }).code ?? 'no answer'
    throw new Retriable(`${new URL(url).host} did not answer (${code}).`)
  }
}

export const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

function readCa(file: string): (string | Buffer)[] {
  try {
    return [...rootCertificates, readFileSync(file)]
  } catch {
    throw new Fatal('ca_file_unreadable', 'The file cannot be read.', 'options.ca_file')
  }
}

function flat(headers: object): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) result.append(name, String(each))
  }
  // The body is already unpacked.
  result.delete('content-encoding')
  result.delete('content-length')
  return result
}
