import { type POLICY_KEY_NAMES, POLICY_KEYS, type PolicyLevel } from '../../policy-values.ts'

/** What a rule is for; empty where its level does not name it. */
export interface PolicyKey {
  level: PolicyLevel
  skuGroup: string
  supplier: string
  sku: string
  location: string
}

type Named = { level: PolicyLevel } & Partial<Record<keyof PolicyKey, string | null>>

/** The natural key of a rule. */
export function keyOf(rule: Named): PolicyKey {
  const named: readonly string[] = POLICY_KEYS[rule.level]
  const part = (name: (typeof POLICY_KEY_NAMES)[number]) =>
    named.includes(name) ? (rule[name] ?? '') : ''
  return {
    level: rule.level,
    skuGroup: part('skuGroup'),
    supplier: part('supplier'),
    sku: part('sku'),
    location: part('location'),
  }
}

/** `sku A-100 at L1`, `supplier S-7`, `default`: how a rule is named in answers and in the audit log. */
export function nameOf({ level, skuGroup, supplier, sku, location }: PolicyKey): string {
  if (level === 'sku+location') return `sku ${sku} at ${location}`
  if (level === 'supplier+location') return `supplier ${supplier} at ${location}`
  const named = skuGroup || supplier || sku || location
  return named ? `${level} ${named}` : level
}
