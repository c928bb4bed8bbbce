import type { OpenOrderMessage } from '../../../engine/proposal/index.ts'
import { Exceptions } from '../../store/entities.ts'
import { near } from '../../store/in-chunks.ts'
import { type Facts, sentenceOf } from '../../facts.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'
import {
  type ExceptionColumns,
  LONGEST_MESSAGE,
  placeOf,
  replaceExceptions,
  type StoredException,
} from './stored-exceptions.ts'

/** Found by the engine or about a proposal, with its sentence, or by the rules, with what the sentence says. */
export type PairMessage =
  | OpenOrderMessage
  | (Omit<OpenOrderMessage, 'kind'> & { kind: 'unmatched_approval' })
  | (Omit<OpenOrderMessage, 'kind' | 'message'> & {
      kind: 'rule_conflict'
      facts: Facts
    })

/** Brings what is stored for these pairs to what holds now. */
export async function updateExceptions(series: number[], found: ExceptionColumns[]) {
  if (series.length) await replaceExceptions(await readStored(series), found)
}

async function readStored(series: number[]): Promise<StoredException[]> {
  const wanted = new Set(series)
  const rows = (await SELECT.from(Exceptions).where({ series: near(series) })) as StoredException[]
  return rows.filter((row) => wanted.has(Number(row.series)))
}

/** What a pair's calculation found that no order can mend. An order that it has in several parts is one exception. */
export function exceptionsOf(pair: PairInputs, messages: PairMessage[]): ExceptionColumns[] {
  const byPlace = new Map<string, ExceptionColumns>()
  for (const message of messages) {
    const columns = columnsOf(pair, message)
    const known = byPlace.get(placeOf(columns))
    if (!known) byPlace.set(placeOf(columns), columns)
    else {
      known.quantity += columns.quantity
      known.value = valueOf(pair.unitCost, known.quantity)
    }
  }
  return [...byPlace.values()]
}

const columnsOf = (pair: PairInputs, message: PairMessage): ExceptionColumns => ({
  source_ID: pair.source,
  series: pair.series,
  kind: message.kind,
  sku: pair.sku,
  location: pair.location,
  supplier: pair.supplier,
  document: message.document ?? '',
  quantity: message.quantity,
  promisedOn: message.from,
  wantedOn: message.to,
  value: valueOf(pair.unitCost, message.quantity),
  currency: pair.currency,
  ...textOf(message),
})

function textOf(message: PairMessage): Pick<ExceptionColumns, 'message' | 'facts'> {
  if (!('facts' in message)) return { message: message.message, facts: null }
  const sentence = sentenceOf(message.facts, 'en').slice(0, LONGEST_MESSAGE)
  return { message: sentence, facts: JSON.stringify(message.facts) }
}

/** The column has no room for more. */
const LARGEST_VALUE = 1e13

/** In whole cents; null where the cost is not known, or the value is larger than any order's. */
function valueOf(unitCost: string | null, quantity: number): number | null {
  const value = unitCost === null ? null : Math.round(Number(unitCost) * quantity * 100) / 100
  return value === null || value >= LARGEST_VALUE ? null : value
}
