import { daysAgo, writeFiles } from '../../support/server.ts'
import { get, post } from './api.ts'

const DAYS = 120

/** Steady sellers with nothing in stock: each of them will be proposed. `blocked` has no lead time. */
export const SKUS = ['=A1', 'B2', 'C3', 'D4', 'E5', 'F6', 'G7', 'H8']
export const LOCATIONS = ['L1', 'L2']

/** Connects a csv source, synchronises it and waits for its proposals. @returns the source's id */
export async function readDemand(account: string): Promise<string> {
  const pairs = SKUS.flatMap((sku) => LOCATIONS.map((location) => [sku, location]))
  const demand = [...pairs, ['blocked', 'L1']].flatMap(([sku, location], index) =>
    Array.from({ length: DAYS }, (_, at) => [
      sku,
      location,
      daysAgo(DAYS - at),
      3 + index + (at % 7),
    ]),
  )
  const csv = (header: string, rows: unknown[][]) =>
    [header, ...rows.map((row) => row.join(','))].join('\n')
  await writeFiles(account, {
    'demand.csv': csv('sku,location,date,quantity', demand),
    'stock.csv': csv(
      'sku,location,on_hand',
      [...pairs, ['blocked', 'L1']].map((pair) => [...pair, 1]),
    ),
    'planning.csv': csv(
      'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency',
      pairs.map((pair) => [...pair, 7, 20, 10, 'S1', '1.25', 'EUR']),
    ),
  })
  const source = await post('/sources', { type: 'csv', account, role: 'planner' })
  const { headers } = await post(`/sources/${source.json.id}/sync`, { mode: 'full' })
  const path = headers.get('location')!.replace('/v1', '') as `/syncs/${string}`
  for (;;) {
    const { json: sync } = await get(path)
    if (sync.finished_at) {
      expect(sync).toMatchObject({ status: 'succeeded', issues: [] })
      return source.json.id
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Ids of pending proposals, each to be used by one test. */
export async function pending(): Promise<string[]> {
  const { json } = await get('/proposals?status=pending&limit=200')
  return json.data.map(({ id }: { id: string }) => id)
}
