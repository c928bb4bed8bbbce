// The scope of a rule, from the options --sku, --location, --supplier and --group.
import { WrongUsage } from '../errors.ts'
import type { Command } from 'commander'
import type { Policy } from '../../client/index.ts'

export interface KeyOptions {
  default?: true
  sku?: string
  location?: string
  supplier?: string
  group?: string
}

const LEVELS: Record<string, Policy['level']> = {
  sku: 'sku',
  location: 'location',
  supplier: 'supplier',
  group: 'group',
  'sku location': 'sku+location',
  'location supplier': 'supplier+location',
  default: 'default',
}

export function withKey(command: Command): Command {
  return command
    .option('--default', 'for all pairs')
    .option('--sku <code>', 'for a SKU; with --location for that pair alone')
    .option('--location <code>', 'for a location')
    .option('--supplier <code>', 'for a supplier; with --location for its orders of that location')
    .option('--group <code>', 'for a group of SKUs')
}

/** @throws WrongUsage where the options are not a valid combination */
export function keyOf({ default: all, ...names }: KeyOptions) {
  const { sku, location, supplier, group } = names
  const given = Object.entries({ sku, location, supplier, group }).filter(([, code]) => code)
  const level = LEVELS[[...given.map(([name]) => name), ...(all ? ['default'] : [])].join(' ')]
  if (level) return { level, ...(Object.fromEntries(given) as Record<string, string>) }
  throw new WrongUsage(
    'Say what the rule is for: --default, --sku, --location, --supplier, --group, or --sku or --supplier with --location.',
  )
}

/** `sku A-100 at L1` */
export function nameOf(rule: Pick<Policy, 'level'> & Partial<Policy>): string {
  if (rule.level === 'sku+location') return `sku ${rule.sku} at ${rule.location}`
  if (rule.level === 'supplier+location') return `supplier ${rule.supplier} at ${rule.location}`
  const code = rule.sku ?? rule.location ?? rule.supplier ?? rule.group
  return code ? `${rule.level} ${code}` : rule.level
}
