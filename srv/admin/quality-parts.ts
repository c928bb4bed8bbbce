// How good the forecasts of a source were: over time, by class of demand, by confidence.
import cds, { type Request } from '@sap/cds'
import { type Confidence, DEMAND_CLASSES } from '../../engine/index.ts'
import { codeNames } from '../texts.ts'
import { answer, parentOf, type Row } from './computed-rows.ts'
import { figuresOf, latest, type Score } from './quality-figures.ts'

const { SELECT } = cds.ql
const CONFIDENCES: Confidence[] = ['high', 'medium', 'low']

export const scoresOf = async (source: number): Promise<Score[]> =>
  SELECT.from('restock.ForecastScores').where({ source_ID: source }).orderBy('month')

/** The source whose page is asked for, or all of them. */
export async function sourcesOf(request: Request): Promise<{ ID: number; account: string }[]> {
  const ID = parentOf(request, 'source')
  return SELECT.from('restock.Sources')
    .columns('ID', 'account')
    .where(ID === undefined ? {} : { ID })
    .orderBy('ID')
}

/** `Nov 2026` in the words of whoever asks. */
const monthText = (month: string) =>
  new Intl.DateTimeFormat(cds.context?.locale, {
    ...{ month: 'short', year: 'numeric', timeZone: 'UTC' },
  }).format(new Date(`${month}T00:00:00Z`))

/** The figures of a source's page, and what they are of. */
export async function measured(scores: Score[]): Promise<Row> {
  const shown = latest(scores)
  const months = [shown[0], shown.at(-1)].flatMap((score) => score?.month ?? [])
  return {
    ...figuresOf(shown),
    kind: shown[0]?.kind ?? null,
    kindText: (await codeNames('ScoreKinds'))(shown[0]?.kind),
    period: months.length ? [...new Set(months)].map(monthText).join(' – ') : null,
    isUnmeasured: !shown.length,
  }
}

export async function qualityMonths(request: Request) {
  const nameOf = await codeNames('ScoreKinds')
  return parts(
    request,
    (scores) => scores,
    ({ kind, month }) => ({ kind, month, monthText: monthText(month), kindText: nameOf(kind) }),
  )
}

export async function qualityClasses(request: Request) {
  const nameOf = await codeNames('DemandClasses')
  return parts(request, latest, ({ demandClass }) => ({
    ...{ demandClass, demandClassText: nameOf(demandClass) },
    position: DEMAND_CLASSES.indexOf(demandClass),
  }))
}

export async function qualityConfidences(request: Request) {
  const nameOf = await codeNames('Confidences')
  return parts(request, latest, ({ confidence }) => ({
    ...{ confidence, confidenceText: nameOf(confidence) },
    position: CONFIDENCES.indexOf(confidence),
  }))
}

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
