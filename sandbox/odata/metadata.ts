import type { EntitySet, Field, Service } from './set.ts'

/** The service's `$metadata` with the fields that the sandbox has. */
export function metadataXml(service: Service): string {
  const sets = [...service.sets.values()]
  const v4 = service.version === 4
  const [edmx, edm] = v4
    ? ['http://docs.oasis-open.org/odata/ns/edmx', 'http://docs.oasis-open.org/odata/ns/edm']
    : [
        'http://schemas.microsoft.com/ado/2007/06/edmx',
        'http://schemas.microsoft.com/ado/2008/09/edm',
      ]
  const data = v4 ? '' : ' m:DataServiceVersion="2.0"'
  const extra = v4
    ? ''
    : ' xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:sap="http://www.sap.com/Protocols/SAPData"'
  const container = sets
    .map(({ name, type }) => `<EntitySet Name="${name}" EntityType="${service.name}.${type}"/>`)
    .join('')
  return (
    `<?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="${v4 ? '4.0' : '1.0'}" xmlns:edmx="${edmx}"${extra}>` +
    `<edmx:DataServices${data}><Schema Namespace="${service.name}" xmlns="${edm}">` +
    sets.map(entityType).join('') +
    `<EntityContainer Name="${service.name}_Entities">${container}</EntityContainer>` +
    `</Schema></edmx:DataServices></edmx:Edmx>`
  )
}

function entityType(set: EntitySet): string {
  const keys = set.keys.map((key) => `<PropertyRef Name="${key}"/>`).join('')
  const properties = [...set.fields.values()].map(property).join('')
  return `<EntityType Name="${set.type}"><Key>${keys}</Key>${properties}</EntityType>`
}

function property({ name, edm, filterable, sortable }: Field): string {
  const flags =
    (filterable ? '' : ' sap:filterable="false"') + (sortable ? '' : ' sap:sortable="false"')
  return `<Property Name="${name}" Type="Edm.${edm === 'Int' ? 'Int32' : edm}"${flags}/>`
}
