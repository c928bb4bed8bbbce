// Every address that can be read at an OData service, from its model: lists, counts, sums, keys, parts and expansions.
import cds from '@sap/cds'
import { someOf } from '../../support/some-of.ts'

/**
 * One in three of the addresses, for each person others of them: of the three each address is asked for by one, and by all
 * with all cases.
 */
export const someFor = (person: number, paths: string[]): string[] =>
  someOf([...paths.slice(person), ...paths.slice(0, person)], 3)

interface Element {
  name: string
  key?: boolean
  type?: string
  isAssociation?: boolean
  is2many?: boolean
  virtual?: boolean
  target?: string
}

interface Entity {
  name: string
  kind: string
  elements: Record<string, Element>
  actions?: Record<string, { kind: string }>
}

/** Entities that the service shows, by their name in addresses; names of codes are for everybody. */
export function entitiesOf(service: string): [string, Entity][] {
  const { entities } = cds.services[service]! as unknown as { entities: Record<string, Entity> }
  return Object.entries(entities).filter(
    ([name, { elements }]) => !name.endsWith('.texts') && !('criticality' in elements),
  )
}

export const elementsOf = ({ elements }: Entity) => Object.values(elements)
export const navigationsOf = (entity: Entity) =>
  elementsOf(entity)
    .filter(({ isAssociation, name }) => isAssociation && !['texts', 'localized'].includes(name))
    .map(({ name }) => name)
export const plainOf = (entity: Entity) =>
  elementsOf(entity)
    .filter(({ isAssociation, virtual, key }) => !isAssociation && !virtual && !key)
    .map(({ name }) => name)

/** Without a key. */
export function listPaths(name: string, entity: Entity): string[] {
  const navigations = navigationsOf(entity)
  const [first] = plainOf(entity)
  const text = elementsOf(entity).find(
    ({ name, type }) => type === 'cds.String' && name !== 'number',
  )
  const by = text?.name ?? first
  return [
    `${name}?$top=1000&$count=true`,
    `${name}/$count`,
    `${name}?$search=a&$top=1000`,
    ...navigations.map((navigation) => `${name}?$top=100&$expand=${navigation}`),
    `${name}?$apply=aggregate($count as n)`,
    ...(by
      ? [
          `${name}?$apply=groupby((${by}),aggregate($count as n))`,
          `${name}?$apply=groupby((${by}))/aggregate($count as n)`,
          `${name}?$apply=filter(${by} ne null)/groupby((${by}))&$top=1000&$count=true`,
          `${name}?$apply=concat(aggregate($count as n),groupby((${by})))`,
          `${name}?$apply=concat(groupby((${by})),aggregate($count as n))&$count=true`,
          `${name}?$filter=${by} ne 'none' or ${by} eq null&$orderby=${by}&$top=1000`,
          `${name}/$count?$filter=${by} ne 'none' or true`,
        ]
      : []),
  ]
}

/** What belongs to one row, whose key is given as it stands in an address. */
export const rowPaths = (name: string, key: string, entity: Entity): string[] => [
  `${name}(${key})`,
  ...navigationsOf(entity).flatMap((navigation) => [
    `${name}(${key})/${navigation}`,
    `${name}(${key})/${navigation}/$count`,
    `${name}(${key})?$expand=${navigation}`,
  ]),
  ...plainOf(entity).map((element) => `${name}(${key})/${element}`),
]
