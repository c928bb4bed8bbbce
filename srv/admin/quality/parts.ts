// How good the forecasts of a source were: over time, by class of demand, by confidence.
import cds, { type Request } from '@sap/cds'
import { type Confidence, DEMAND_CLASSES } from '../../../engine/index.ts'
import { codeNames } from '../../texts.ts'
import { ForecastScores, readAs, Sources } from '../../store/entities.ts'
import { answer, parentOf, type Row } from '../computed-rows.ts'
import { figuresOf, latest, type Score } from './figures.ts'

const { SELECT } = cds.ql
const CONFIDENCES: Confidence[] = ['high', 'medium', 'low']

export const scoresOf = (source: number) =>
  readAs<Score>(SELECT.from(ForecastScores).where({ source_ID: source }).orderBy('month'))

/** The source whose page is asked for, or all of them. */
export async function sourcesOf(request: Request): Promise<{ ID: number; account: string }[]> {
  const ID = parentOf(request, 'source')
  return readAs<{ ID: number; account: string }>(
    SELECT.from(Sources)
      .columns('ID', 'account')
      .where(ID === undefined ? {} : { ID })
      .orderBy('ID'),
  )
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

/** The navigation of a source's page by the part that it leads to. */
const PARTS: Record<string, Part> = {
  byMonth: { part: 'month', chosen: (scores) => scores.toReversed(), codeOf: ({ month }) => month },
  byClass: { part: 'class', chosen: latest, codeOf: ({ demandClass }) => demandClass },
  byConfidence: { part: 'confidence', chosen: latest, codeOf: ({ confidence }) => confidence },
}

interface Part {
  part: 'month' | 'class' | 'confidence'
  chosen: (scores: Score[]) => Score[]
  codeOf: (score: Score) => string
}

/** In the order in which they are shown; months as they come. */
const ORDER: readonly string[] = [...DEMAND_CLASSES, ...CONFIDENCES]

export async function qualityParts(request: Request) {
  const asked = PARTS[navigationOf(request)]
  const rows: Row[] = []
  for (const { ID: source } of await sourcesOf(request)) {
    const scores = await scoresOf(source)
    for (const part of asked ? [asked] : Object.values(PARTS))
      rows.push(...(await rowsOf(part, scores)).map((row) => ({ source, ...row })))
  }
  return answer(request, rows)
}

/** The last step of the path that is read. */
function navigationOf({ query }: Request): string {
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
