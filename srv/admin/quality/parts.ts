// Measured quality of a source's forecasts: by month, class of demand and confidence.
import cds, { type Request } from '@sap/cds'
import { type Confidence, DEMAND_CLASSES } from '../../../engine/index.ts'
import { codeNames } from '../../texts.ts'
import { ForecastScores, readAs, Sources } from '../../store/entities.ts'
import { keyOf, pageOf, type Row } from '../rows.ts'
import { figuresOf, latestScores, type Score } from './figures.ts'

const CONFIDENCES: Confidence[] = ['high', 'medium', 'low']

export const readScores = (source: number) =>
  readAs<Score>(SELECT.from(ForecastScores).where({ source_ID: source }).orderBy('month'))

/** The source in the path, or all sources. */
export async function readRequestedSources(
  request: Request,
): Promise<{ ID: number; account: string }[]> {
  const ID = keyOf(request, 'source')
  return readAs<{ ID: number; account: string }>(
    SELECT.from(Sources)
      .columns('ID', 'account')
      .where(ID === undefined ? {} : { ID })
      .orderBy('ID'),
  )
}

/** `Nov 2026`, in the user's language. */
const monthText = (month: string) =>
  new Intl.DateTimeFormat(cds.context?.locale, {
    ...{ month: 'short', year: 'numeric', timeZone: 'UTC' },
  }).format(new Date(`${month}T00:00:00Z`))

/** The latest figures of a source, with the kind of forecasts and the period that they measure. */
export async function measuredFigures(scores: Score[]): Promise<Row> {
  const shown = latestScores(scores)
  const months = [shown[0], shown.at(-1)].flatMap((score) => score?.month ?? [])
  return {
    ...figuresOf(shown),
    kind: shown[0]?.kind ?? null,
    kindText: (await codeNames('ScoreKinds'))(shown[0]?.kind),
    period: months.length ? [...new Set(months)].map(monthText).join(' – ') : null,
    isUnmeasured: !shown.length,
  }
}

/** Parts by the navigation property that leads to them. */
const PARTS: Record<string, Part> = {
  byMonth: { part: 'month', chosen: (scores) => scores.toReversed(), codeOf: ({ month }) => month },
  byClass: { part: 'class', chosen: latestScores, codeOf: ({ demandClass }) => demandClass },
  byConfidence: {
    part: 'confidence',
    chosen: latestScores,
    codeOf: ({ confidence }) => confidence,
  },
}

interface Part {
  part: 'month' | 'class' | 'confidence'
  chosen: (scores: Score[]) => Score[]
  codeOf: (score: Score) => string
}

/** Sort order of classes and confidences. */
const ORDER: readonly string[] = [...DEMAND_CLASSES, ...CONFIDENCES]

export async function readQualityParts(request: Request) {
  const asked = PARTS[navigationOf(request)]
  const rows: Row[] = []
  for (const { ID: source } of await readRequestedSources(request)) {
    const scores = await readScores(source)
    for (const part of asked ? [asked] : Object.values(PARTS))
      rows.push(...(await rowsOf(part, scores)).map((row) => ({ source, ...row })))
  }
  return pageOf(request, rows)
}

/** The last segment of the requested path. */
export function navigationOf({ query }: Request): string {
  const { SELECT } = query as { SELECT?: { from?: { ref?: (string | { id: string })[] } } }
  const last = SELECT?.from?.ref?.at(-1) ?? ''
  return typeof last === 'string' ? last : last.id
}

async function rowsOf({ part, chosen, codeOf }: Part, scores: Score[]) {
  const nameOf = await namesOf(part)
  const kindName = await codeNames('ScoreKinds')
  const isMonth = part === 'month'
  const groups = Map.groupBy(chosen(scores), (score) =>
    isMonth ? `${score.kind} ${codeOf(score)}` : codeOf(score),
  )
  return [...groups.values()].map((group, at) => {
    const [code, kind] = [codeOf(group[0]!), isMonth ? group[0]!.kind : '']
    return {
      ...{ part, kind, code, text: nameOf(code), kindText: kind && kindName(kind) },
      ...{ position: isMonth ? at : ORDER.indexOf(code), ...figuresOf(group) },
    }
  })
}

const namesOf = async (part: Part['part']) =>
  part === 'month' ? monthText : codeNames(part === 'class' ? 'DemandClasses' : 'Confidences')
