import type { ModelRecord } from '../models/predicate.ts'

const FACTORS = [6, 10, 12, 24]

const NAMES = { PC: { id: 1, name: 'PC' }, KG: { id: 2, name: 'KG' } }

/** @param factor base units of a carton; 1 for the base unit itself */
export const uomOf = (unit: 'PC' | 'KG', factor: number): { id: number; name: string } =>
  factor === 1 ? NAMES[unit] : { id: 100 + factor, name: `Carton of ${factor}` }

/** From Odoo 19 on `factor` is what one is in units of reference; before, how many are one of reference. */
export const uomRows = (isNew: boolean): ModelRecord[] => [
  ...Object.values(NAMES).map((unit) => ({ ...unit, ...factorOf(1, isNew) })),
  ...FACTORS.map((factor) => ({ ...uomOf('PC', factor), ...factorOf(factor, isNew) })),
]

const factorOf = (factor: number, isNew: boolean) =>
  isNew ? { factor, relative_factor: factor } : { factor: 1 / factor }
