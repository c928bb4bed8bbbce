import { isDiskFull } from '../../store/database-faults.ts'
import { inMemory, type NewCounter } from './counter.ts'
import { inDatabase } from './in-database.ts'

/** Windows that all instances share; while the disk is full, and nothing else, each instance counts by itself. */
export const inDatabaseOrMemory: NewCounter = (name, points) => {
  const [shared, own] = [inDatabase(name, points), inMemory(name, points)]
  const or = <T>(asked: Promise<T>, instead: () => Promise<T>) =>
    asked.catch((error: unknown) => {
      if (!isDiskFull(error)) throw error
      return instead()
    })
  return {
    take: (who) => or(shared.take(who), () => own.take(who)),
    giveBack: (who, counted) => or(shared.giveBack(who, counted), () => own.giveBack(who, counted)),
    look: (who) => or(shared.look(who), () => own.look(who)),
  }
}
