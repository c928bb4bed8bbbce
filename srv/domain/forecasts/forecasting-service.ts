import cds, { type Request } from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { cleaningOf } from './cleaning.ts'
import { dropForecasts, lookUpForecasts, type LookupQuery } from './lookup.ts'
import { keepOverridden } from '../quality/overrides.ts'
import { qualityReport } from '../quality/report.ts'
import { type ForecastTask, runForecasts } from './run.ts'

export default class ForecastingService extends cds.ApplicationService {
  /** What `lookup` answers, without the dispatch, which costs fifty times as much as a lookup. */
  readonly answersFor = lookUpForecasts

  override async init() {
    this.on('lookup', ({ data }: Request<LookupQuery>) =>
      lookUpForecasts(data.pairs, data.horizon, data.withAmounts ?? false),
    )
    this.on('cleaning', ({ data }: Request<{ series: number; asOf: string }>) =>
      cleaningOf(data.series, data.asOf),
    )
    this.on('quality', ({ data }: Request<{ source: number }>) => qualityReport(data.source))
    this.on('refresh', ({ data }: Request<ForecastTask>) =>
      runDetached(`sync_${data.sync}`, async () => {
        const result = await runForecasts(data)
        await this.emit('refreshed', { source: data.source })
        return result
      }),
    )
    this.on('keepOverridden', ({ data }: Request<{ ID: number }>) =>
      runDetached(`ovr_${data.ID}`, () => keepOverridden(data.ID)),
    )
    this.on('refreshed', () => dropForecasts())
    return super.init()
  }
}
