// Prices by quantity as one text, `200=1.95,600=1.94`: how a rule stores them, and how people enter them.
import { Refusal } from './errors.ts'

export interface PriceBreakOfRule {
  fromQuantity: number
  /** Decimal string. */
  unitCost: string
}

export const MOST_PRICE_BREAKS = 20

export const writePriceBreaks = (breaks: PriceBreakOfRule[]): string =>
  breaks.map(({ fromQuantity, unitCost }) => `${fromQuantity}=${unitCost}`).join(',')

/** @throws Refusal invalid_parameter for another text */
export function parsePriceBreaks(text: string): PriceBreakOfRule[] {
  const parts = text.split(/[,;\s]+/).filter(Boolean)
  return parts.map((part) => {
    const [, from, unitCost] =
      /^(\d{1,13}(?:\.\d{1,6})?)=(\d{1,13}(?:\.\d{1,4})?)$/.exec(part) ?? []
    if (from && unitCost) return { fromQuantity: Number(from), unitCost }
    const message = 'priceBreaks: must be quantities with their price, such as 200=1.95,600=1.94'
    const sentence = { key: 'invalid_price_breaks', places: {} }
    throw new Refusal('invalid_parameter', message, { target: 'priceBreaks', sentence })
  })
}
