import type { RecordOf } from '../records.ts'
import type { PlantRow } from './entities.ts'
import { codeOf, nameOf } from '../rows/values.ts'

export const toLocation = (
  row: Pick<PlantRow, 'Plant'> & Partial<PlantRow>,
  country: string | null = null,
): RecordOf<'locations'> => ({
  location: codeOf(row.Plant, 'Plant'),
  name: nameOf(row.PlantName),
  ...(country && { country }),
})
