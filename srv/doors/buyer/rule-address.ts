// Where a value of a calculation comes from, in words, and the address of the ordering rule that set it.
import cds from '@sap/cds'
import { hasMessage, message } from '../../base/texts/texts.ts'

/** Who may open ordering rules. */
const READERS = ['Admin', 'Auditor']

const NAMED = /^(?:policy:)?(default|group|class|supplier|sku|location)(?: (.+?))?(?: at (.+))?$/s

/** @param from as the calculation has it: `erp`, `sku A-100 at L1` */
export function ruleOf(from: string): { giver: string; address: string | null } {
  if (hasMessage(`rule_by_${from}`)) return { giver: message(`rule_by_${from}`), address: null }
  const [, level, code = '', location = ''] = NAMED.exec(from) ?? []
  if (!level) return { giver: from, address: null }
  const giver = location
    ? message(`rule_of_${level}_at`, { code, location })
    : message(`rule_of_${level}`, { code })
  const mayOpen = READERS.some((role) => cds.context?.user?.is(role))
  return { giver, address: mayOpen ? addressOf({ level, code, location }) : null }
}

function addressOf({ level, code, location }: Record<'level' | 'code' | 'location', string>) {
  const keys = {
    level: location
      ? `${level}+location`
      : level === 'class'
        ? `class_${code.toLowerCase()}`
        : level,
    skuGroup: level === 'group' ? code : '',
    supplier: level === 'supplier' ? code : '',
    sku: level === 'sku' ? code : '',
    location: level === 'location' ? code : location,
  }
  const key = Object.entries(keys).map(
    ([name, value]) => `${name}='${encodeURIComponent(value.replaceAll("'", "''"))}'`,
  )
  return `/apps/admin/index.html#/Policies(${key.join(',')})`
}
