// The registry: one line for each kind of ERP.
import type { Adapter } from './adapter.ts'
import { businessCentralAdapter } from './business-central/index.ts'
import { businessOneAdapter } from './business-one/index.ts'
import { csvAdapter } from './csv/index.ts'
import { netsuiteAdapter } from './netsuite/index.ts'
import { odooAdapter } from './odoo/index.ts'
import { s4hanaAdapter } from './s4hana/index.ts'
import { trytonAdapter } from './tryton/index.ts'

const ADAPTERS = new Map<string, Adapter>(
  Object.entries({
    business_central: businessCentralAdapter(),
    business_one: businessOneAdapter(),
    csv: csvAdapter(),
    netsuite: netsuiteAdapter(),
    odoo: odooAdapter(),
    s4hana: s4hanaAdapter(),
    tryton: trytonAdapter(),
  }),
)

/** The types that `connect` accepts. */
export const ADAPTER_TYPES: readonly string[] = [...ADAPTERS.keys()]

/** @returns undefined for an unknown type */
export const adapterOf = (type: string): Adapter | undefined => ADAPTERS.get(type)
