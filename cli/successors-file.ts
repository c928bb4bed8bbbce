import { circlesOf, inheritancesOf, isNearEnd, isSameUnit } from '../engine/index.ts'
import type { EpochDay, Inheritance, Succession } from '../engine/index.ts'
import type { DeclaredFormats } from '../tables/formats.ts'
import { codeFrom, dayReader } from './offline/cells.ts'
import type { Pair, Pairs } from './offline/pairs.ts'
import { BadRow, readTable } from './offline/table-file.ts'

const COLUMNS = { required: ['sku', 'phase_out_on', 'successor'], optional: ['location', 'unit'] }
const KINDS = new Map([['phase_out_on', 'date']] as const)

/** What a row says of a SKU, or of a SKU at a location; null where it says nothing. */
interface End {
  phaseOutOn: EpochDay | null
  successor: string | null
}

/**
 * Reads which SKU follows which: a row for a SKU, or for a SKU at a location, with columns `sku,phase_out_on,successor`
 * and optionally `location` and `unit`, as `items.csv` and `planning.csv` have them.
 * @throws HistoryError `line N: …` at the first invalid row
 */
export async function readSuccessors(
  paths: readonly string[],
  declared: DeclaredFormats = {},
): Promise<Successors> {
  const ends = new Map<string, End>()
  const units = new Map<string, string>()
  for (const path of paths)
    await readTable(path, { columns: COLUMNS, kinds: KINDS, declared }, (columns, formats) => {
      const cell = (cells: string[], name: string) => cells[columns.get(name) ?? -1] ?? ''
      const dayOf = dayReader(formats, 'phase_out_on')
      return (cells) => {
        const sku = codeFrom('sku', cell(cells, 'sku'))
        if (!sku) throw new BadRow('the sku is empty')
        const key = keyOf({ sku, location: codeFrom('location', cell(cells, 'location')) })
        if (ends.has(key)) throw new BadRow(`an earlier row says it of ${sku} already`)
        const day = cell(cells, 'phase_out_on')
        ends.set(key, {
          phaseOutOn: day.trim() ? dayOf(day) : null,
          successor: codeFrom('successor', cell(cells, 'successor')) || null,
        })
        units.set(sku, cell(cells, 'unit') || (units.get(sku) ?? ''))
      }
    })
  return new Successors(ends, units)
}

/** An empty location is for all that have no row of their own. */
const keyOf = ({ sku, location }: Pair) => JSON.stringify([sku, location])

/** Which SKU follows which. */
export class Successors {
  readonly #ends: ReadonlyMap<string, End>
  /** Of each SKU that it names, empty where it says none. A successor must be one of them, or have demand. */
  readonly #units: ReadonlyMap<string, string>

  constructor(ends: ReadonlyMap<string, End>, units: ReadonlyMap<string, string>) {
    this.#ends = ends
    this.#units = units
  }

  /** Adds the pairs that follow others and that nobody has asked for yet. @returns notes of successors that do not */
  addHeirs(pairs: Pairs, asOf: EpochDay): string[] {
    if (!this.#ends.size) return []
    const known = new Set([...this.#units.keys(), ...pairs.list.map(({ sku }) => sku)])
    const notes = new Set<string>()
    // The list grows: heirs may have heirs.
    for (const pair of pairs.list) {
      const end = this.#endOf(pair, asOf)
      if (!end) continue
      const { successor } = end
      const [unit, own] = [this.#units.get(pair.sku), this.#units.get(successor)]
      if (!known.has(successor))
        notes.add(`${successor} follows another SKU, and is named nowhere else: it is left out.`)
      else if (!isSameUnit(unit, own))
        notes.add(
          `${successor} is in ${own} and follows ${pair.sku}, which is in ${unit}: it does not take over its demand.`,
        )
      else pairs.numberOf(successor, pair.location)
    }
    for (const skus of this.#circles(pairs.list, asOf))
      notes.add(`${skus.join(', ')} follow one another in a circle: none of them is asked for.`)
    return [...notes]
  }

  #circles(pairs: readonly Pair[], asOf: EpochDay): string[][] {
    return [...Map.groupBy(pairs, ({ location }) => location).values()].flatMap((those) =>
      circlesOf(
        new Map(
          those.flatMap((pair) => {
            const end = this.#endOf(pair, asOf)
            return end ? [[pair.sku, end.successor] as const] : []
          }),
        ),
      ),
    )
  }

  /** By the places of the pairs. */
  inheritances(pairs: readonly Pair[], asOf: EpochDay): Map<number, Inheritance> {
    if (!this.#ends.size) return new Map()
    const places = new Map(pairs.map((pair, place) => [keyOf(pair), place]))
    const successions = pairs.flatMap((pair, series): Succession[] => {
      const end = this.#endOf(pair, asOf)
      if (!end || !isSameUnit(this.#units.get(pair.sku), this.#units.get(end.successor))) return []
      const heir = places.get(keyOf({ sku: end.successor, location: pair.location }))
      return heir === undefined ? [] : [{ series, sku: pair.sku, heir, phaseOutOn: end.day }]
    })
    return inheritancesOf(successions)
  }

  /** The days from which on nobody asks for pairs any more, by their places. */
  endings(pairs: readonly Pair[]): Map<number, EpochDay> {
    const days = pairs.map((pair) => this.#saidOf(pair).phaseOutOn)
    return new Map(days.flatMap((day, place) => (day === null ? [] : [[place, day] as const])))
  }

  /** Null where nothing follows within the longest horizon. */
  #endOf(pair: Pair, asOf: EpochDay): { day: EpochDay; successor: string } | null {
    const { phaseOutOn: day, successor } = this.#saidOf(pair)
    return day !== null && successor !== null && successor !== pair.sku && isNearEnd(day, asOf)
      ? { day, successor }
      : null
  }

  /** What is said of the pair stands instead of what is said of the SKU. */
  #saidOf(pair: Pair): End {
    const [own, all] = [pair, { ...pair, location: '' }].map((each) => this.#ends.get(keyOf(each)))
    return {
      phaseOutOn: own?.phaseOutOn ?? all?.phaseOutOn ?? null,
      successor: own?.successor ?? all?.successor ?? null,
    }
  }
}
