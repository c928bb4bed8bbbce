// The unique key that allows one open proposal for each pair and supplier, or for each pair and giving location.

/** A separator within a code becomes a control character, so that no two pairs have the same key. */
const escaped = (code: string) => code.replaceAll('|', '\u001f')

export const joinOpenKey = (source: number, ...codes: string[]): string =>
  [source, ...codes.map(escaped)].join('|')

/** The key of the same pair when its SKU has another code. */
export const replaceSkuInKey = (key: string, sku: string): string =>
  key.split('|').with(1, escaped(sku)).join('|')
