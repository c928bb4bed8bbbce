import { Command } from 'commander'
import { dataOf } from './answers.ts'
import { openClient } from './client.ts'
import { apiCommand } from './command.ts'
import { print, printJson } from './output.ts'
import { tableOf } from './table.ts'
import { count, toSafeText } from './text.ts'
import type { Sync } from '../client/index.ts'

const MAX_ISSUES = 20
export const SYNC_FIELDS: (keyof Sync)[] = ['id', 'mode', 'status', 'progress', 'issues']

/** `restock syncs show <id>` */
export function syncsCommand(): Command {
  const show = apiCommand('show', 'show the progress or result of a sync', ['syncs show sync_7'])
    .argument('<id>', 'the sync, e.g. sync_7')
    .action(showSync)
  return new Command('syncs').description('show syncs').addCommand(show)
}

async function showSync(id: string, options: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/syncs/{id}', { path: { id } })
  if (options.json) return printJson(answer)
  printSync(dataOf(answer, SYNC_FIELDS))
}

/** State, counts and issues of a sync. */
export function printSync(run: Sync): void {
  const { counts, issues } = run
  print(toSafeText(`Sync ${run.id} (${run.mode}): ${stateOf(run)}.`))
  if (counts) {
    print(
      `${counts.read} read, ${counts.upserted} upserted, ${counts.unchanged} unchanged, ` +
        `${counts.quarantined} quarantined, ${counts.deleted} deleted.`,
    )
  }
  printIssues(run, issues, 'issue')
  printIssues(run, run.notes ?? [], 'note')
}

type Issue = Sync['issues'][number]

/** Of rows with the same code in the same stream what it means is said once. */
function printIssues(run: Sync, issues: Issue[], name: 'issue' | 'note') {
  if (issues.length === 0) return
  print(`${count(issues.length, name)}:`)
  print(
    tableOf<Issue>(
      [
        { head: 'Stream', value: (row) => row.stream },
        { head: 'Place', value: (row) => row.key },
        { head: 'Code', value: (row) => row.code },
        { head: 'Message', value: (row) => row.message },
      ],
      issues.slice(0, MAX_ISSUES),
    ),
  )
  const rest = issues.length - MAX_ISSUES
  if (rest > 0) print(`and ${rest} more: restock syncs show ${toSafeText(run.id)} --json`)
  const meanings = new Set(
    issues.map(({ code, stream, impact, remedy }) =>
      impact ? `${code} (${stream ?? ''}): ${impact} ${remedy}` : '',
    ),
  )
  for (const meaning of meanings) if (meaning) print(toSafeText(meaning))
}

function stateOf({ status, phase, progress, started_at, finished_at }: Sync): string {
  if (finished_at && started_at) {
    const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
    return `${status} in ${Math.max(0, Math.round(seconds))} s`
  }
  if (status !== 'running') return status
  const of = progress.total ? ` of ${progress.total}` : ''
  return `${status}, ${phase ?? ''} ${progress.done}${of} ${progress.unit ?? ''}`.trimEnd()
}
