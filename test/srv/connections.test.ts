import { prepareConnections } from '../../srv/connections.ts'

it.each([
  [1_000, 15_000],
  [60_000, 60_000],
])('of %d ms to wait for a connection it makes %d', (configured, expected) => {
  const factory = {
    options: { acquireTimeoutMillis: configured, max: 7 },
    create: async () => ({}),
  }
  prepareConnections({ kind: 'postgres', pools: { _factory: factory } })
  expect(factory.options).toEqual({ acquireTimeoutMillis: expected, max: 7 })
})
