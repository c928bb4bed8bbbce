import { readSource } from './read.ts'
import { storeSchedules, type WantedSchedules } from './schedules.ts'

/** @throws Refusal source_not_found */
export async function changeSchedules({ ID, ...wanted }: { ID: number } & WantedSchedules) {
  await readSource(ID)
  await storeSchedules(ID, wanted)
  return await readSource(ID)
}
