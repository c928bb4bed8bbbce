// Where people are stored, as the model says: db/personal-data.cds.
import cds from '@sap/cds'

export interface PersonTable {
  /** `restock.Users` */
  entity: string
  /** Elements with a person's id, whose rows are about that person alone. */
  own: string[]
  /** Elements with a person's id in rows about something else. */
  users: string[]
  /** What an export shows: keys, times, and what is personal. */
  shown: string[]
}

interface Element {
  key?: boolean
  type?: string
  '@PersonalData.FieldSemantics'?: string
  '@PersonalData.IsPotentiallyPersonal'?: boolean
}

interface Definition {
  kind?: string
  query?: unknown
  elements?: Record<string, Element>
  '@PersonalData.EntitySemantics'?: string
}

/** Encrypted: nobody reads them. */
const HIDDEN = ['sealed']

export function personTables(): PersonTable[] {
  const definitions = Object.entries(cds.model!.definitions as Record<string, Definition>)
  return definitions
    .filter(([name, { kind, query }]) => kind === 'entity' && !query && name.startsWith('restock.'))
    .filter(([, definition]) => definition['@PersonalData.EntitySemantics'])
    .map(([entity, { elements = {} }]) => tableOf(entity, Object.entries(elements)))
}

function tableOf(entity: string, elements: [string, Element][]): PersonTable {
  const having = (semantics: string) =>
    elements
      .filter(([, element]) => element['@PersonalData.FieldSemantics'] === semantics)
      .map(([name]) => name)
  const isShown = ([name, element]: [string, Element]) =>
    !HIDDEN.includes(name) &&
    (element.key === true ||
      element.type === 'cds.Timestamp' ||
      '@PersonalData.FieldSemantics' in element ||
      '@PersonalData.IsPotentiallyPersonal' in element)
  return {
    entity,
    own: having('DataSubjectID'),
    users: having('UserID'),
    shown: elements.filter(isShown).map(([name]) => name),
  }
}
