// Measured quality of a source's forecasts by what the pairs are, and the pairs that cost most, as the app shows them.
import type { Request } from '@sap/cds'
import type { QualityReport } from '#cds-models/ForecastingService'
import { codeAndName, plainCode } from '../../plain-code.ts'
import { send } from '../../services.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { codeNames } from '../../texts.ts'
import { pageOf, type Row } from '../rows.ts'
import { navigationOf, readRequestedSources } from './parts.ts'

const [NEUTRAL, NEGATIVE, POSITIVE] = [0, 1, 3]
/** Fewer windows get no criticality. */
const MIN_CASES = 50

type Report = ServiceRow<QualityReport>
type Group = Report['groups'][number]

const readReports = async (request: Request) => {
  const reports: Report[] = []
  for (const { ID: source } of await readRequestedSources(request))
    reports.push(await send<Report>('ForecastingService', 'quality', { source }))
  return reports
}

/** By the navigation property that leads to them. */
const PARTS: Record<string, string> = {
  byGroup: 'group',
  bySupplier: 'supplier',
  byLocation: 'location',
  byPattern: 'pattern',
  byAbc: 'abc',
  byXyz: 'xyz',
}

export async function readQualityGroups(request: Request) {
  const asked = PARTS[navigationOf(request)]
  const className = await codeNames('DemandClasses')
  const rows = (await readReports(request)).flatMap(({ source, currency, groups }) =>
    [...Map.groupBy(groups, ({ part }) => part)].flatMap(([part, those]) =>
      asked && part !== asked
        ? []
        : those.map((group, position): Row => {
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

const nameOf = ({ code, name }: Group) => (name ? `${name} (${plainCode(code)})` : plainCode(code))

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
    worst.map(({ abc, xyz, ...pair }, at): Row => ({
      ...{ source, currency, position: at + 1, ...shown(pair) },
      abcXyz: abc || xyz ? `${abc ?? '–'}${xyz ?? '–'}` : null,
      classText: className(pair.demandClass),
      skuText: codeAndName(pair.sku, pair.skuName),
      supplierText: pair.supplier ? plainCode(pair.supplier) : null,
    })),
  )
  return pageOf(request, rows)
}
