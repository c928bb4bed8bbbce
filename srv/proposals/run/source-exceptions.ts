// Exceptions that are about a whole supplier or source, and no single pair.
import { type Facts, sentenceOf } from '../../facts.ts'
import { Exceptions } from '../../store/entities.ts'
import {
  type ExceptionColumns,
  LONGEST_MESSAGE,
  replaceExceptions,
  type StoredException,
} from './stored-exceptions.ts'

/** What it is about is named; the rest is empty. */
export interface SourceMessage {
  kind: ExceptionColumns['kind']
  facts: Facts
  sku?: string
  location?: string
  supplier?: string | null
  value?: number | null
  currency?: string | null
}

/** Brings what is stored of a kind to what holds now. @param suppliers of which alone; absent: of all there is */
export async function updateSourceExceptions(
  source: number,
  kind: ExceptionColumns['kind'],
  found: SourceMessage[],
  suppliers?: string[],
) {
  const stored = (await SELECT.from(Exceptions).where({
    ...{ source_ID: source, kind, series: null },
    ...(suppliers && { supplier: { in: suppliers } }),
  })) as StoredException[]
  await replaceExceptions(
    stored,
    found.map((message) => columnsOf(source, message)),
  )
}

const columnsOf = (source: number, { facts, ...about }: SourceMessage): ExceptionColumns => ({
  source_ID: source,
  series: null,
  ...{ sku: '', location: '', supplier: null, document: '', quantity: 0 },
  ...{ promisedOn: null, wantedOn: null, value: null, currency: null },
  ...about,
  message: sentenceOf(facts, 'en').slice(0, LONGEST_MESSAGE),
  facts: JSON.stringify(facts),
})
