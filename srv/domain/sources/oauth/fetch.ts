import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import axios from 'axios'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { Retriable } from '../../../../adapters/errors.ts'
import { readAuthorities } from '../../../../adapters/http/authorities.ts'
import { withConnectTimeout } from '../../../../adapters/http/connect-timeout.ts'

const MAX_ANSWER_BYTES = 1_000_000

/**
 * `fetch` for the OAuth library: it follows no redirect, limits the size of an answer, and its errors contain
 * nothing of the request.
 * @param caFile PEM file of certification authorities that are trusted in addition
 * @throws Fatal `ca_file_unreadable`
 */
export function oauthFetch(caFile: string | null): CustomFetch {
  const agents = {
    httpAgent: withConnectTimeout(new HttpAgent()),
    httpsAgent: withConnectTimeout(new HttpsAgent(caFile ? { ca: readAuthorities(caFile) } : {})),
  }
  return (url, options) => send(url, options, agents)
}

async function send(
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
  agents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent },
): Promise<Response> {
  try {
    const {
      status,
      data,
      headers: answered,
    } = await axios.request<string>({
      url,
      method,
      headers,
      data: body?.toString(),
      signal,
      maxRedirects: 0,
      maxContentLength: MAX_ANSWER_BYTES,
      responseType: 'text',
      transformResponse: (text: string) => text,
      validateStatus: () => true,
      proxy: false,
      ...agents,
    })
    const isBodiless = status === 204 || status === 304
    return new Response(isBodiless ? null : data, { status, headers: toHeaders(answered) })
  } catch (error) {
    // axios errors contain the whole request with its secrets, so they are not passed on.
    const code = (error as { code?: string }).code ?? 'no answer'
    throw new Retriable(`${new URL(url).host} did not answer (${code}).`)
  }
}

function toHeaders(headers: object): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) result.append(name, String(each))
  }
  // axios has already decompressed the body.
  result.delete('content-encoding')
  result.delete('content-length')
  return result
}
