// API_PLANT_SRV
import { objectSet } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const CITIES = ['Hamburg', 'Lyon', 'Gdansk', 'Torino', 'Malmö', 'Porto']

export function plants(world: World): EntitySet[] {
  const { plantCodes } = world.pairs
  return [
    objectSet(
      {
        name: 'A_Plant',
        keys: 'Plant',
        fields: 'Plant PlantName CompanyCode FactoryCalendar Language SalesOrganization',
        size: () => plantCodes.length,
        build: (plant) => ({
          Plant: plantCodes[plant]!,
          PlantName: `Plant ${CITIES[plant % CITIES.length]!}`,
          CompanyCode: '1010',
          FactoryCalendar: 'DE',
          Language: 'EN',
        }),
      },
      world.patches,
    ),
  ]
}
