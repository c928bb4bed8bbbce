// API_PLANT_SRV and API_COMPANYCODE_SRV
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
        fields: 'Plant PlantName CompanyCode CompanyCodeName',
        size: () => plantCodes.length,
        build: (plant) => ({
          Plant: plantCodes[plant]!,
          PlantName: `Plant ${CITIES[plant % CITIES.length]!}`,
          CompanyCode: '1010',
          CompanyCodeName: 'Company 1010',
        }),
      },
      world.patches,
    ),
  ]
}

export const companies = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'A_CompanyCode',
      keys: 'CompanyCode',
      fields: 'CompanyCode CompanyCodeName CityName Country Currency Language ChartOfAccounts',
      size: () => 1,
      build: () => ({
        CompanyCode: '1010',
        CompanyCodeName: 'Company 1010',
        CityName: 'Hamburg',
        Country: 'DE',
        Currency: 'EUR',
        Language: 'DE',
      }),
    },
    patches,
  ),
]
