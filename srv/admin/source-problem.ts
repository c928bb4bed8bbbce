import { readAs, Syncs } from '../store/entities.ts'
import { send } from '../services.ts'

interface Issue {
  message: string
  remedy: string
}

interface Source {
  ID: number
  status?: string | null
  problem?: { message: string } | null
}

/** Why a source cannot be read, and who mends it; null where it can be. */
export async function problemOf({ ID, status, problem }: Source): Promise<string | null> {
  if (problem) return problem.message
  return status === 'failing' ? lastIssueOf(ID) : null
}

/** The first issue of the last sync that did not go as it should, and who mends it. */
export async function lastIssueOf(source: number): Promise<string | null> {
  const last = await readAs<{ ID: number }>(
    SELECT.one
      .from(Syncs)
      .columns('ID')
      .where({ source_ID: source, status: { in: ['failed', 'partial'] } })
      .orderBy('ID desc'),
  )
  if (!last) return null
  const { issues } = await send<{ issues: Issue[] }>('SyncService', 'find', { ID: last.ID })
  const [issue] = issues
  return issue ? `${issue.message} ${issue.remedy}` : null
}
