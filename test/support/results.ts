// What a source's data lead to, by natural key and without what differs at every run: numbers, instants.
import cds from '@sap/cds'
import { byNaturalKey } from '../../engine/index.ts'
import { Forecasts, Proposals, Series } from '../../srv/base/database/entities.ts'

const { SELECT } = cds.ql

interface Row {
  sku: string
  location: string
}

const OF_A_RUN =
  /^(ID|series|source_ID|openKey|createdAt|modifiedAt|updatedAt|expiresAt|version|formerTerms|numbersBefore)$/

export async function resultsOf(source: number) {
  const series = (await SELECT.from(Series)
    .columns('ID', 'sku', 'location')
    .where({ source_ID: source })) as (Row & { ID: number })[]
  const models = await SELECT.from(Forecasts)
    .columns('series', 'model', 'asOf')
    .where({ series: { in: series.map(({ ID }) => ID) } })
  const modelOf = new Map(models.map((row) => [Number(row.series), row]))
  const proposals = (await SELECT.from(Proposals).where({
    source_ID: source,
    status: 'pending',
  })) as Row[]
  return {
    asOf: models[0]?.asOf,
    forecasts: series.sort(byNaturalKey).map(({ ID, sku, location }) => ({
      ...{ sku, location },
      model: modelOf.get(ID)!.model!,
    })),
    proposals: proposals
      .sort(byNaturalKey)
      .map((row) => Object.entries(row).filter(([name]) => !OF_A_RUN.test(name))),
  }
}
