import { codeOf } from '../rows/values.ts'
import type { Field } from '../rows/values.ts'
import type { AccountFacts } from './account-facts.ts'

interface PairRow {
  item: string
  itemid: Field
  location: Field
}

/** The codes of item and location in a row. @throws BadValue where one is missing */
export type PairCodes = (row: PairRow) => { sku: string; location: string }

/** A location that the role may not see, and one that a line has none of, is refused: it is never guessed. */
export async function pairCodesOf(facts: AccountFacts, signal: AbortSignal): Promise<PairCodes> {
  const [locations, code] = await Promise.all([facts.locations(signal), facts.itemCodes(signal)])
  return ({ item, itemid, location }) => ({
    sku: codeOf(code(codeOf(itemid, 'itemid'), item), 'itemid'),
    location: codeOf(locations.get(String(location ?? '')), 'location'),
  })
}
