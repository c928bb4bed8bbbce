// Starts the long test files first, so that no core idles at the end of a run while one of them goes on.
import { statSync } from 'node:fs'

/** Journeys start the service many times; forecasts of whole tenants and commands in processes take longest of the rest. */
const LONG = [/\/journeys\//, /\/engine\/forecast\/|\/cli\/|\/adapters\/s4hana\//]

interface TestFile {
  path: string
}

const rank = ({ path }: TestFile) => {
  const found = LONG.findIndex((pattern) => pattern.test(path))
  return found < 0 ? LONG.length : found
}

export default class LongestFirst {
  sort<T extends TestFile>(tests: T[]): T[] {
    const sizes = new Map(tests.map((test) => [test, statSync(test.path).size]))
    return tests.toSorted((a, b) => rank(a) - rank(b) || sizes.get(b)! - sizes.get(a)!)
  }

  /** Jest would store durations here; the order does not depend on them. */
  cacheResults() {}
}
