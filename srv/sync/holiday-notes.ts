// Locations whose country, as their source has it, has no calendar of public holidays.
import { assertCountry, UnknownCountry } from '../../holidays/public-holidays.ts'
import { Locations, readAs } from '../store/entities.ts'
import { MAX_ISSUES, type Issue } from './run.ts'

interface Told {
  location: string
  country: string
  region: string | null
}

export async function holidayNotes(source: number): Promise<Issue[]> {
  const rows = await readAs<Told>(
    SELECT.from(Locations)
      .columns('location', 'country', 'region')
      .where({ source_ID: source, country: { '!=': null } })
      .orderBy('location'),
  )
  const faults = new Map<string, string | null>()
  const notes: Issue[] = []
  for (const { location, country, region } of rows) {
    const key = JSON.stringify([country, region])
    if (!faults.has(key)) faults.set(key, await faultOf(country, region))
    const fault = faults.get(key)
    if (!fault || notes.length >= MAX_ISSUES) continue
    const message = `Location ${location}: the ${fault}.`
    notes.push({ code: 'unknown_country', stream: 'locations', key: location, message })
  }
  return notes
}

const faultOf = (country: string, region: string | null): Promise<string | null> =>
  assertCountry({ country, region }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof UnknownCountry) return `${error.field} ${error.message}`
      throw error
    },
  )
