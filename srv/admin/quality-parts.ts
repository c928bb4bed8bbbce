// How good the forecasts of a source were: over time, by class of demand, by confidence.
import cds, { type Request } from '@sap/cds'
import { type Confidence, DEMAND_CLASSES } from '../../engine/index.ts'
import { answer, type Row } from './in-memory.ts'
import { figuresOf, latest, type Score } from './quality-figures.ts'

const { SELECT } = cds.ql
const CONFIDENCES: Confidence[] = ['high', 'medium', 'low']

export const scoresOf = async (source: number): Promise<Score[]> =>
  SELECT.from('restock.ForecastScores').where({ source_ID: source }).orderBy('month')

/** The source whose page is asked for, or all of them. */
export async function sourcesOf({ params }: Request): Promise<{ ID: number; account: string }[]> {
  const [key] = params as unknown as [({ source: number } | number)?]
  const ID = typeof key === 'object' ? key.source : key
  return SELECT.from('restock.Sources')
    .columns('ID', 'account')
    .where(ID === undefined ? {} : { ID: Number(ID) })
    .orderBy('ID')
}

/** `Nov 2026` in the words of whoever asks. */
const monthText = (month: string) =>
  new Intl.DateTimeFormat(cds.context?.locale, {
    ...{ month: 'short', year: 'numeric', timeZone: 'UTC' },
  }).format(new Date(`${month}T00:00:00Z`))

/** The figures of a source's page, and what they are of. */
export function measured(scores: Score[]): Row {
  const shown = latest(scores)
  const months = [shown[0], shown.at(-1)].flatMap((score) => score?.month ?? [])
  return {
    ...figuresOf(shown),
    kind: shown[0]?.kind ?? null,
    period: months.length ? [...new Set(months)].map(monthText).join(' – ') : null,
    isUnmeasured: !shown.length,
  }
}

export const qualityMonths = (request: Request) =>
  parts(
    request,
    (scores) => scores,
    ({ kind, month }) => ({ kind, month, monthText: monthText(month) }),
  )

export const qualityClasses = (request: Request) =>
  parts(request, latest, ({ demandClass }) => ({
    ...{ demandClass, position: DEMAND_CLASSES.indexOf(demandClass) },
  }))

export const qualityConfidences = (request: Request) =>
  parts(request, latest, ({ confidence }) => ({
    ...{ confidence, position: CONFIDENCES.indexOf(confidence) },
  }))

/** Figures of some of the scores of the source asked for, or of all sources. */
async function parts(
  request: Request,
  chosen: (scores: Score[]) => Score[],
  keyOf: (score: Score) => Row,
) {
  const rows: Row[] = []
  for (const { ID: source } of await sourcesOf(request)) {
    const groups = Map.groupBy(chosen(await scoresOf(source)), (score) =>
      Object.values(keyOf(score)).join(),
    )
    for (const scores of groups.values())
      rows.push({ source, ...keyOf(scores[0]!), ...figuresOf(scores) })
  }
  return answer(request, rows)
}
