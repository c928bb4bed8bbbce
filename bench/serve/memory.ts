// Memory of the process during 200,000 lookups: see README.md.
import autocannon from 'autocannon'
import { ask, startRestock } from './service.ts'

const CALLS = Number(process.env.BENCH_CALLS ?? 200_000)
const STEPS = 10

const restock = await startRestock()
try {
  const { url, headers } = restock
  const response = await ask(`${url}/proposals?limit=200`, { headers })
  const { data } = (await response.json()) as { data: { sku: string; location: string }[] }
  const requests = data.map(({ sku, location }) => ({
    path: `/v1/forecasts?${new URLSearchParams({ sku, location })}`,
    headers,
  }))
  console.log('| lookups | MB |\n|---|---|')
  for (let step = 1; step <= STEPS; step++) {
    const amount = CALLS / STEPS
    await autocannon({ url: new URL(url).origin, connections: 16, amount, requests })
    const megabytes = (await restock.memory()) / 1e6
    console.log(`| ${(step * amount).toLocaleString('en')} | ${megabytes.toFixed(0)} |`)
  }
} finally {
  await restock.stop()
}
