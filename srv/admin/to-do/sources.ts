// Connections that are not read, or not as they should be.
import type * as Model from '#cds-models/SourcesService'
import { isDemandOld } from '../../store/old-demand.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { send } from '../../services.ts'
import { lastIssueOf, problemOf } from '../source-problem.ts'
import type { Task } from './task.ts'

type Source = ServiceRow<Model.Source>

const MOST_SOURCES = 200

export async function sourceTasks(): Promise<Task[]> {
  const page = { after: null, limit: MOST_SOURCES }
  const { data } = await send<{ data: Source[] }>('SourcesService', 'list', page)
  if (!data.length) {
    return [
      { key: 'no_source', places: {}, criticality: 1, cure: 'connect', link: '#/SourceTypes' },
    ]
  }
  return (await Promise.all(data.map(tasksOf))).flat()
}

async function tasksOf(source: Source): Promise<Task[]> {
  const { ID, account, status, lastSync, dataAsOf } = source
  const places = { source: `src_${ID}`, account }
  const task = (key: string, criticality: Task['criticality'], cure: string, more = {}): Task => ({
    ...{ key, criticality, cure, places: { ...places, ...more }, link: `#/Sources(${ID})` },
  })
  const reason = (await problemOf(source)) ?? ''
  if (status === 'reconsent_required') return [task('reconsent', 1, 'consent', { reason })]
  if (status === 'pending_consent') return [task('no_consent', 2, 'consent', { reason })]
  if (status === 'failing') return [task('source_failing', 1, 'source', { reason })]
  if (!lastSync) return [task('never_synced', 2, 'sync')]
  const tasks: Task[] = []
  if (await isDemandOld(ID, dataAsOf ?? null)) {
    tasks.push(task('data_old', 1, 'sync', { day: dataAsOf }))
  }
  const missing = source.neededRights.filter((each) => !source.grantedRights.includes(each))
  if (missing.length) tasks.push(task('rights_missing', 2, 'rights', { names: missing.join(', ') }))
  const { full, incremental } = source.schedules
  if (full.expression === 'off' && incremental.expression === 'off') {
    tasks.push(task('schedules_off', 2, 'schedules'))
  }
  if (lastSync.status === 'partial') {
    const first = (await lastIssueOf(ID)) ?? ''
    tasks.push(task('sync_partial', 2, 'sync_page', { reason: first }))
  }
  return tasks
}
