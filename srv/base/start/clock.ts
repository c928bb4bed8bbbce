// Instances tell by the time whether a lease of another one has ended: their clocks must agree.
import cds from '@sap/cds'

/** By which clocks may differ without a word. */
const TOLERATED_MS = 2_000

const NOW: Record<string, string> = {
  postgres: `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`,
  hana: `SELECT to_char(CURRENT_UTCTIMESTAMP, 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS NOW FROM DUMMY`,
}

/** Warns where this machine's clock and that of the database differ. */
export async function compareClocks(now = Date.now) {
  const seconds = await secondsAhead(now)
  if (Math.abs(seconds) * 1000 <= TOLERATED_MS) return
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  cds
    .log('restock')
    .warn(
      `the clock of this machine is ${Math.abs(seconds)} s ${direction} the database's: set both by one time server, or instances take work from each other.`,
    )
}

/** By how much this machine's clock is ahead; below zero where it is behind. The time that the answer took is no difference. */
async function secondsAhead(now: () => number): Promise<number> {
  const query = NOW[cds.db.kind]
  if (!query) return 0
  await cds.run(query) // May have to connect first.
  const before = now()
  const [row] = (await cds.run(query)) as Record<string, string>[]
  const after = now()
  const theirs = Date.parse(Object.values(row!)[0]!)
  const difference = theirs < before ? before - theirs : Math.min(0, after - theirs)
  return Math.round(difference / 100) / 10
}
