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
  lastSync?: { status: string } | null
}

/** Why a source has no access or its last sync went wrong, and who mends it; null where nothing is wrong. */
export async function causeOf({ ID, status, problem, lastSync }: Source): Promise<string | null> {
  if (problem) return problem.message
  const isWrong = status === 'failing' || lastSync?.status === 'partial'
  const issue = isWrong ? await firstIssueOf(ID) : null
  return issue && `${issue.message} ${issue.remedy}`
}

/** Of the last sync that did not go as it should. */
async function firstIssueOf(source: number): Promise<Issue | null> {
  const last = await readAs<{ ID: number }>(
    SELECT.one
      .from(Syncs)
      .columns('ID')
      .where({ source_ID: source, status: { in: ['failed', 'partial'] } })
      .orderBy('ID desc'),
  )
  if (!last) return null
  const { issues } = await send<{ issues: Issue[] }>('SyncService', 'find', { ID: last.ID })
  return issues[0] ?? null
}
