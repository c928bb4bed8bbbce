import cds, { type Request } from '@sap/cds'
import { type Confidence, DEMAND_CLASSES } from '../../../engine/index.ts'
import {
  ForecastScores,
  Learnt,
  PairForecasts,
  readAs,
  Series,
  Sources,
} from '../../base/database/entities.ts'
import { lookUpForecasts } from '../../domain/forecasts/index.ts'
import {
  latestScores,
  type QualityGroup,
  type QualityReport,
  qualityReport,
  type StoredScore,
} from '../../domain/quality/index.ts'
import { codeAndName, plainCode } from '../../base/texts/codes.ts'
import { codeNames } from '../../base/texts/texts.ts'
import { countRows } from './to-do.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'
import { keyOf, pageOf } from './rows.ts'

const [NEUTRAL, NEGATIVE, CRITICAL, POSITIVE] = [0, 1, 2, 3]
/** Fewer cases get no criticality. */
const MIN_CASES = 50
const TARGETS = { coverage: 80, above: 10, bias: 0 }
/** Classes with a rated bias: the median of intermittent and lumpy demand is below its mean, so its P50 is always biased. */
const UNBIASED: readonly unknown[] = ['smooth', 'erratic']
/** Tolerances in percentage points. */
const [NEAR, FAR] = [10, 20]

/** The figures of all these scores together. */
function figuresOf(scores: readonly StoredScore[]): ODataRow {
  const sum = (
    name: 'cases' | 'covered' | 'above' | 'below' | 'bounded' | 'p50' | 'demand' | 'loss',
  ) => scores.reduce((total, score) => total + Number(score[name]), 0)
  const [cases, demand] = [sum('cases'), sum('demand')]
  const coverage = percent(sum('covered'), cases)
  const aboveP90 = percent(sum('above'), cases)
  const bias = percent(sum('p50') - demand, demand)
  const rate = (value: number | null, aim: number, near = NEAR, far = FAR) =>
    value === null || cases < MIN_CASES ? NEUTRAL : criticalityOf(Math.abs(value - aim), near, far)
  return {
    cases,
    ...{ coverage, aboveP90, belowP10: percent(sum('below'), sum('bounded')), bias },
    weightedLoss: percent(2 * sum('loss'), demand),
    coverageCriticality: rate(coverage, TARGETS.coverage),
    aboveCriticality: rate(aboveP90, TARGETS.above, NEAR / 2, NEAR),
    biasCriticality: scores.every(({ demandClass }) => UNBIASED.includes(demandClass))
      ? rate(bias, TARGETS.bias)
      : NEUTRAL,
  }
}

const criticalityOf = (off: number, near: number, far: number) =>
  off <= near ? POSITIVE : off <= far ? CRITICAL : NEGATIVE

/** Rounded to one decimal place. */
const percent = (part: number, whole: number): number | null =>
  whole ? Math.round((1000 * part) / whole) / 10 : null

// Measured quality of a source's forecasts: by month, class of demand and confidence.

const CONFIDENCES: Confidence[] = ['high', 'medium', 'low']

const readScores = (source: number) =>
  readAs<StoredScore>(SELECT.from(ForecastScores).where({ source_ID: source }).orderBy('month'))

/** The source in the path, or all sources. */
async function readRequestedSources(request: Request) {
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
async function measuredFigures(scores: StoredScore[]): Promise<ODataRow> {
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
  chosen: (scores: StoredScore[]) => StoredScore[]
  codeOf: (score: StoredScore) => string
}

/** Sort order of classes and confidences. */
const ORDER: readonly string[] = [...DEMAND_CLASSES, ...CONFIDENCES]

export async function readQualityParts(request: Request) {
  const asked = PARTS[navigationOf(request)]
  const rows: ODataRow[] = []
  for (const { ID: source } of await readRequestedSources(request)) {
    const scores = await readScores(source)
    for (const part of asked ? [asked] : Object.values(PARTS))
      rows.push(...(await rowsOf(part, scores)).map((row) => ({ source, ...row })))
  }
  return pageOf(request, rows)
}

/** The last segment of the requested path. */
function navigationOf({ query }: Request): string {
  const { SELECT } = query as { SELECT?: { from?: { ref?: (string | { id: string })[] } } }
  const last = SELECT?.from?.ref?.at(-1) ?? ''
  return typeof last === 'string' ? last : last.id
}

async function rowsOf({ part, chosen, codeOf }: Part, scores: StoredScore[]) {
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

// Measured quality of a source's forecasts by what the pairs are, and the pairs that cost most, as the app shows them.

const readReports = async (request: Request) => {
  const reports: QualityReport[] = []
  for (const { ID: source } of await readRequestedSources(request))
    reports.push(await qualityReport(source))
  return reports
}

/** By the navigation property that leads to them. */
const GROUP_PARTS: Record<string, string> = {
  byGroup: 'group',
  bySupplier: 'supplier',
  byLocation: 'location',
  byPattern: 'pattern',
  byAbc: 'abc',
  byXyz: 'xyz',
}

export async function readQualityGroups(request: Request) {
  const asked = GROUP_PARTS[navigationOf(request)]
  const className = await codeNames('DemandClasses')
  const rows = (await readReports(request)).flatMap(({ source, currency, groups }) =>
    [...Map.groupBy(groups, ({ part }) => part)].flatMap(([part, those]) =>
      asked && part !== asked
        ? []
        : those.map((group, position): ODataRow => {
            const text = part === 'pattern' ? className(group.code) : nameOf(group)
            return {
              source,
              currency,
              position,
              ...shown(group),
              text: text || plainCode(group.code),
            }
          }),
    ),
  )
  return pageOf(request, rows)
}

const nameOf = ({ code, name }: QualityGroup) =>
  name ? `${name} (${plainCode(code)})` : plainCode(code)

const shown = <Figures extends { toNaive: number | null; cases: number }>(figures: Figures) => ({
  ...figures,
  toNaiveCriticality:
    figures.toNaive === null || figures.cases < MIN_CASES
      ? NEUTRAL
      : figures.toNaive < 0
        ? POSITIVE
        : NEGATIVE,
})

export async function readWorstPairs(request: Request) {
  const className = await codeNames('DemandClasses')
  const rows = (await readReports(request)).flatMap(({ source, currency, worst }) =>
    worst.map(({ abc, xyz, ...pair }, at): ODataRow => ({
      ...{ source, currency, position: at + 1, ...shown(pair) },
      abcXyz: abc || xyz ? `${abc ?? '–'}${xyz ?? '–'}` : null,
      classText: className(pair.demandClass),
      skuText: codeAndName(pair.sku, pair.skuName),
      supplierText: pair.supplier ? plainCode(pair.supplier) : null,
    })),
  )
  return pageOf(request, rows)
}

/** Forecasts in the sample of a source: shares are accurate to a few percentage points. */
const SAMPLE = 400

interface Pair {
  sku: string
  location: string
}

/** Number, confidence and measured quality of the forecasts of each source. */
export async function readForecastQuality(request: Request) {
  const rows = []
  for (const { ID, account } of await readRequestedSources(request)) {
    rows.push({
      source: ID,
      number: `src_${ID}`,
      account,
      ...(await readCounts(ID)),
      ...(await readConfidenceShares(ID)),
      ...(await measuredFigures(await readScores(ID))),
    })
  }
  return pageOf(request, rows)
}

interface Calibration {
  buckets?: { windows: number }[]
}

async function readCounts(source: number) {
  const learnt = await SELECT.one.from(Learnt).where({ source_ID: source })
  const of = { source_ID: source }
  const calibration = JSON.parse(learnt?.calibration ?? 'null') as Calibration | null
  const buckets = calibration?.buckets ?? []
  return {
    asOf: learnt?.asOf ?? null,
    engineVersion: learnt?.engineVersion ?? null,
    series: await countRows(Series, of),
    forecasts: await countRows(PairForecasts, { ...of, asOf: { '!=': null } }),
    waiting: await countRows(Series, { ...of, dirty: true }),
    windows: buckets.reduce((sum, { windows }) => sum + windows, 0),
  }
}

/** Every n-th series: an even sample, which stays the same until series are added. */
async function readSample(source: number): Promise<Pair[]> {
  const IDs = await readAs<{ ID: number }>(
    SELECT.from(Series).columns('ID').where({ source_ID: source }).orderBy('ID'),
  )
  const step = Math.max(1, Math.floor(IDs.length / SAMPLE))
  const chosen = IDs.filter((_, at) => at % step === 0).slice(0, SAMPLE)
  return readAs<Pair>(
    SELECT.from(Series)
      .columns('sku', 'location')
      .where({ ID: { in: chosen.map(({ ID }) => ID) } }),
  )
}

async function readConfidenceShares(source: number) {
  const pairs = await readSample(source)
  const answers = pairs.length ? await lookUpForecasts(pairs, null) : []
  const found = answers.flatMap(({ forecast }) => forecast?.confidence ?? [])
  const share = (wanted: Confidence) =>
    percent(found.filter((each) => each === wanted).length, found.length)
  return {
    sampled: found.length,
    ...{ highShare: share('high'), mediumShare: share('medium'), lowShare: share('low') },
  }
}
