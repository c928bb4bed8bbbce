import { fieldsOf, type Field } from '../../adapters/fields.ts'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'
import { textsOf } from '../../adapters/texts.ts'
import { codeNames } from '../texts.ts'

/** A kind of ERP, and what it is asked for when it is connected. */
export interface SourceType {
  type: string
  name: string
  fields: Field[]
}

/** Every kind of ERP with its fields, in this language. */
export async function listTypes({ language }: { language?: string | null }): Promise<SourceType[]> {
  const spoken = language ?? 'en'
  const nameOf = await codeNames('SourceTypes', spoken)
  return ADAPTER_TYPES.map((type) => ({
    type,
    name: nameOf(type) ?? type,
    fields: [...fieldsOf(adapterOf(type)!, spoken), ...destinationOf(type, spoken)],
  }))
}

/** A setting of the service and not of adapters: address and credentials come from SAP BTP. */
function destinationOf(type: string, language: string): Field[] {
  const { fields } = adapterOf(type)!
  if (fields && !fields.clientId) return []
  const texts = textsOf(type, language)
  return [
    {
      ...{ name: 'destination', isOption: true, isRequired: false, isMain: false, kind: 'text' },
      ...{ label: texts.destination!, hint: texts.destination_hint ?? null },
      ...{ values: [], least: null, most: null, preset: null },
    },
  ]
}
