import type { PolicyKeyName } from '../../policy-values.ts'
import { type AnyEntity, readAs } from '../../store/entities.ts'
import type { PolicyKey } from './levels.ts'

/** Where what a rule names is known from. */
const KNOWN_FROM: Record<PolicyKeyName, string[]> = {
  sku: ['restock.Skus', 'restock.Planning', 'restock.Series'],
  location: ['restock.Locations', 'restock.Planning', 'restock.Series'],
  supplier: ['restock.Suppliers', 'restock.Planning', 'restock.Skus'],
  skuGroup: ['restock.Skus'],
}

/** What a rule names and no source has: it may come later, or be misspelt. */
export async function unknownNames(rule: PolicyKey): Promise<PolicyKeyName[]> {
  const unknown: PolicyKeyName[] = []
  for (const name of Object.keys(KNOWN_FROM) as PolicyKeyName[]) {
    if (rule[name] && !(await isKnown(name, rule[name]))) unknown.push(name)
  }
  return unknown
}

async function isKnown(name: PolicyKeyName, code: string): Promise<boolean> {
  for (const entity of KNOWN_FROM[name] as AnyEntity[]) {
    const found = SELECT.from(entity)
      .columns(name)
      .where({ [name]: code })
    if ((await readAs(found.limit(1))).length) return true
  }
  return false
}
