// The share of the past year's days without stock, as the forecasts of some rows know it.
import type { ForecastAnswer } from '../../engine/index.ts'
import { send } from '../services.ts'
import { message } from '../texts.ts'
import type { Row } from './computed-elements.ts'

interface Answer {
  forecast: ForecastAnswer | null
}

/** @param requested the elements that the query selects: where it does not name this one, nothing is looked up */
export async function addCensoredShares(rows: Row[], requested: Set<string> | undefined) {
  if (!rows.length || !requested?.has('censoredShare')) return
  const pairs = rows.map(({ sku, location }) => ({ sku, location }))
  const answers = await send<Answer[]>('ForecastingService', 'lookup', { pairs, horizon: null })
  rows.forEach((row, at) => {
    const share = answers[at]?.forecast?.censoredShare
    row.censoredShare = share == null ? null : shareText(share)
  })
}

const shareText = (share: number) =>
  share > 0
    ? message('censored_share', { percent: Math.round(1000 * share) / 10 })
    : message('censored_share_none')
