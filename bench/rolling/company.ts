// What both benches start their instances with, and what became of the decisions that these accepted.
import type { Decision } from '../outages/decisions.ts'
import type { Postgres } from '../outages/postgres.ts'

/** Of instances on one database that read the csv files of a folder. */
export const environmentOf = (credentials: object, folder: string, schedules: object) => ({
  ...process.env,
  ...{ CDS_TYPESCRIPT: 'true', RESTOCK_RATE_LIMIT: 'off', RESTOCK_CSV_ROOT: folder },
  ...{ RESTOCK_CSV_SETTLE_SECONDS: '0', RESTOCK_SHUTDOWN_READY_SECONDS: '5' },
  RESTOCK_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
  CDS_CONFIG: JSON.stringify({
    requires: { db: { kind: 'postgres', model: null, impl: '@cap-js/postgres', credentials } },
    restock: { demo: 'key', ui5: 'built', schedules },
  }),
})

export type Decided = Pick<Decision, 'id' | 'event'>

/** Accepted decisions that are not in the trail, or are there twice. */
export async function countLost(postgres: Postgres, accepted: readonly Decided[]) {
  const rows = await postgres.query<{ id: string; n: string }>(
    "SELECT proposal || ' ' || event AS id, count(*) AS n FROM restock_proposalevents WHERE event IN ('approved', 'rejected') GROUP BY 1",
  )
  const timesOf = new Map(rows.map(({ id, n }) => [id, Number(n)]))
  return accepted.filter(
    ({ id, event }) => timesOf.get(`${id.slice('prop_'.length)} ${event}`) !== 1,
  ).length
}
