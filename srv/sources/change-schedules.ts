import { readSource } from './read-sources.ts'
import { storeSchedules, type ScheduleChange } from './schedules.ts'

/** @throws Refusal source_not_found */
export async function changeSchedules({ ID, ...wanted }: { ID: number } & ScheduleChange) {
  await readSource(ID)
  await storeSchedules(ID, wanted)
  return await readSource(ID)
}
