import { Instance } from '../../support/instance.ts'

/** What is left to an address, told by a call without a key. */
async function remaining({ url }: Instance, forwardedFor: string) {
  const response = await fetch(`${url}/v1/keys`, { headers: { 'X-Forwarded-For': forwardedFor } })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  return Number(response.headers.get('x-ratelimit-remaining'))
}

it.each([
  ['a proxy that is trusted', 1, [119, 118, 119]],
  ['nobody', undefined, [119, 118, 117]],
])('the address of a call is told by %s', async (_, trustProxy, left) => {
  const instance = await Instance.start({ restock: { trustProxy, sharedLimits: false } })
  try {
    // Of a chain the last entry is the one that the proxy itself has written.
    const chains = ['198.51.100.7, 192.0.2.1', '203.0.113.9, 192.0.2.1', '192.0.2.1, 192.0.2.2']
    const seen = []
    for (const chain of chains) seen.push(await remaining(instance, chain))
    expect(seen).toEqual(left)
  } finally {
    await instance.end()
  }
})
