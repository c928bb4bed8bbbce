type Row = Record<string, unknown>

const time = (value: unknown) => (value ? new Date(String(value)).getTime() : null)

/** When the present phase will end at its pace so far; null while that cannot be told. */
function estimatedEnd(row: Row): string | null {
  const [done, total, started] = [Number(row.done), Number(row.total), time(row.startedAt)]
  if (row.status !== 'running' || !started || !done || !total || done > total) return null
  const now = Date.now()
  return new Date(now + ((now - started) / done) * (total - done)).toISOString()
}

/** A row of restock.Syncs as the service answers it. */
export function toSync(row: Row) {
  const { source_ID, issues, activeFor, owner, leaseUntil, ...rest } = row
  return {
    ...rest,
    ID: Number(row.ID),
    source: Number(source_ID),
    status: String(row.status),
    done: Number(row.done ?? 0),
    total: row.total === null || row.total === undefined ? null : Number(row.total),
    issues: JSON.parse(String(issues ?? '[]')),
    estimatedEndAt: estimatedEnd(row),
  }
}
