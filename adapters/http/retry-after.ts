/**
 * How long a server asks to wait, in milliseconds; undefined where it does not say.
 * @param value seconds, or an HTTP date; @param now what the server's own clock says, else ours
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
