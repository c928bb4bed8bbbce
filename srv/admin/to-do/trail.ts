// What is wrong with the audit trail.
import type * as Model from '#cds-models/AuditService'
import { send } from '../../services.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import type { Task } from './task.ts'

export async function trailTasks(): Promise<Task[]> {
  const alarms = await send<ServiceRow<Model.Alarm>[]>('AuditService', 'alarms')
  return alarms.map(({ key, ...places }) => ({
    ...{ key, places, cure: 'log', link: '#/AuditLog' },
    criticality: key === 'trail_not_kept' ? 2 : 1,
  }))
}
