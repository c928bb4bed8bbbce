// Lists of an account that stay small and that rows refer to by number: read once a sync.
import { isNotThere } from '../errors.ts'
import { Shared, type SuiteQl } from './suiteql/client.ts'
import { IS_STOCKED, type Query } from './suiteql/query.ts'
import { type Exact, toExact } from '../rows/decimals.ts'
import { codeOf, type Field } from '../rows/values.ts'
import { withZero } from './values.ts'
import {
  DROP_SHIPS,
  hasStatus,
  type LineRow,
  type LocationRow,
  LOCATIONS,
  typesAre,
} from './queries.ts'

export interface Unit {
  /** Base units in one of it. */
  rate: Exact
  name: string
}

export interface Units {
  /** By number of the unit. */
  byId: ReadonlyMap<string, Unit>
  /** Name of the base unit by number of the units type. */
  baseNames: ReadonlyMap<string, string>
}

const UNITS: Query = {
  columns: {
    id: 'u.internalid',
    unitstype: 'u.unitstype',
    unitname: 'u.unitname',
    conversionrate: 'u.conversionrate',
    baseunit: 'u.baseunit',
  },
  from: 'unitstypeuom u',
  where: [],
  key: ['id'],
}

const BASE_CURRENCY: Query = {
  columns: { id: 'c.id', symbol: 'c.symbol' },
  from: 'currency c',
  where: ["c.isbasecurrency = 'T'"],
  key: ['id'],
}

/** Two items of one name would be taken for one. */
const SHARED_NAMES = `SELECT i.itemid AS name FROM item i WHERE ${IS_STOCKED} GROUP BY i.itemid HAVING COUNT(*) > 1`

/** The codes of item and location in a row. @throws BadValue where one is missing */
export type PairCodes = (row: { item: string; itemid: Field; location: Field }) => {
  sku: string
  location: string
}

/** The codes in a line of a document. */
export interface LineCodes {
  pair: PairCodes
  /** The number that people know, with the internal ID where another document of its type has it too; the ID where it has none. */
  document: (row: { number?: string | undefined; document: string }) => string
}

/**
 * Subsidiaries may count alike, and a number may be typed: two orders of one number would be taken for one. Of customers' orders, of
 * which there are many, the open ones are read.
 */
const NAMESAKES: Query = {
  columns: { id: 't.id' },
  from: 'transaction t JOIN transaction o ON o.type = t.type AND o.tranid = t.tranid AND o.id <> t.id',
  where: [
    `(${typesAre(['PurchOrd', 'PurchReq', 'BlankOrd', 'PurchCon', 'TrnfrOrd'])} OR t.type = 'SalesOrd' AND ${hasStatus('SalesOrd', 'B', 'D', 'E')})`,
  ],
  groupBy: 't.id',
  key: ['id'],
}

export class AccountFacts {
  readonly #suiteQl: SuiteQl
  readonly #shared = new Shared()

  constructor(suiteQl: SuiteQl) {
    this.#suiteQl = suiteQl
  }

  /** The code of each location by its number: its name, with the number where it has a namesake. */
  locations(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return this.#shared.once('locations', signal, async () => {
      const rows = await this.#suiteQl.all<LocationRow>(LOCATIONS, signal)
      const count = Map.groupBy(rows, nameOfLocation)
      return new Map(
        rows.map((row) => {
          const name = nameOfLocation(row)
          return [row.id, count.get(name)!.length > 1 ? numbered(name, row.id) : name]
        }),
      )
    })
  }

  /** The code of an item: its name, with the number where it has a namesake. */
  itemCodes(signal: AbortSignal): Promise<(name: string, id: string) => string> {
    return this.#shared.once('items', signal, async () => {
      const { items = [] } = await this.#suiteQl.run(SHARED_NAMES, signal)
      const shared = new Set(items.map(({ name }) => String(name)))
      return (name, id) => (shared.has(name) ? numbered(name, id) : name)
    })
  }

  /** A location that the role may not see, and one that a line has none of, is refused: it is never guessed. */
  async pairCodes(signal: AbortSignal): Promise<PairCodes> {
    const [locations, code] = await Promise.all([this.locations(signal), this.itemCodes(signal)])
    return ({ item, itemid, location }) => ({
      sku: codeOf(code(codeOf(itemid, 'itemid'), item), 'itemid'),
      location: codeOf(locations.get(String(location ?? '')), 'location'),
    })
  }

  async lineCodes(signal: AbortSignal): Promise<LineCodes> {
    const [pair, document] = await Promise.all([this.pairCodes(signal), this.#documents(signal)])
    return { pair, document }
  }

  /** Of lines that mean all locations where they name none. */
  async lineCodesOfAll(signal: AbortSignal): Promise<LineCodes> {
    const [pair, document] = await Promise.all([this.#codesOfAll(signal), this.#documents(signal)])
    return { pair, document }
  }

  #documents(signal: AbortSignal): Promise<LineCodes['document']> {
    return this.#shared.once('documents', signal, async () => {
      const rows = await this.#suiteQl.all<{ id: string }>(NAMESAKES, signal)
      const namesakes = new Set(rows.map(({ id }) => id))
      return ({ number, document }) =>
        codeOf(
          number && namesakes.has(document) ? numbered(number, document) : (number ?? document),
          'tranid',
        )
    })
  }

  async #codesOfAll(signal: AbortSignal): Promise<PairCodes> {
    const [codes, code] = await Promise.all([this.pairCodes(signal), this.itemCodes(signal)])
    return (row) =>
      row.location
        ? codes(row)
        : { sku: codeOf(code(codeOf(row.itemid, 'itemid'), row.item), 'itemid'), location: '' }
  }

  /** Whether the goods of a line go from the vendor to the customer, and lie in no stock of one's own. */
  async dropShips(signal: AbortSignal): Promise<(row: LineRow) => boolean> {
    const links = await this.#shared.once('drop ships', signal, async () => {
      const rows = await this.#optional<LineRow>(DROP_SHIPS, signal)
      return new Set(rows.map(({ document, line }) => `${document}/${line}`))
    })
    return ({ dropship, document, line }) => dropship === 'T' || links.has(`${document}/${line}`)
  }

  /** None where units of measure are not a feature of the account. */
  units(signal: AbortSignal): Promise<Units> {
    return this.#shared.once('units', signal, async () => {
      const rows = await this.#optional<Record<string, string>>(UNITS, signal)
      const rates = rows.map(({ id, unitname, conversionrate }) => {
        const rate = toExact(withZero(conversionrate)) ?? 0n
        return [id!, { rate, name: unitname ?? '' }] as const
      })
      const bases = rows.filter(({ baseunit }) => baseunit === 'T')
      return {
        byId: new Map(rates),
        baseNames: new Map(bases.map((row) => [row.unitstype!, row.unitname ?? ''])),
      }
    })
  }

  /** The ISO code of the account's own currency; null where the role may not read it. */
  baseCurrency(signal: AbortSignal): Promise<string | null> {
    return this.#shared.once('currency', signal, async () => {
      const [own] = await this.#optional<{ symbol?: string }>(BASE_CURRENCY, signal)
      return own?.symbol && /^[A-Z]{3}$/.test(own.symbol) ? own.symbol : null
    })
  }

  async #optional<R extends object>(query: Query, signal: AbortSignal): Promise<R[]> {
    try {
      return await this.#suiteQl.all<R>(query, signal)
    } catch (error) {
      if (isNotThere(error)) return []
      throw error
    }
  }
}

export const nameOfLocation = ({ fullname, name }: LocationRow): string => fullname || name || ''

const numbered = (name: string, id: string) => `${name} (#${id})`
