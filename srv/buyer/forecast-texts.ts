// What the forecasts of some rows know of their data: days without stock, and which data are missing.
import { type ForecastAnswer, MAX_HORIZON_DAYS, type MissingData } from '../../engine/index.ts'
import { send } from '../services.ts'
import { message } from '../texts.ts'
import type { Row } from './computed-elements.ts'

interface Answer {
  forecast: ForecastAnswer | null
}

/** @param requested the elements that the query selects: where it names neither, nothing is looked up */
export async function addForecastTexts(rows: Row[], requested: Set<string> | undefined) {
  if (!rows.length) return
  if (!requested?.has('censoredShare') && !requested?.has('missingData')) return
  for (const [horizon, those] of Map.groupBy(rows, horizonOf)) {
    const pairs = those.map(({ sku, location }) => ({ sku, location }))
    const answers = await send<Answer[]>('ForecastingService', 'lookup', { pairs, horizon })
    those.forEach((row, at) => {
      const forecast = answers[at]?.forecast
      row.censoredShare = forecast ? shareText(forecast) : null
      row.missingData = forecast ? missingText(forecast.missing) : null
    })
  }
}

/** Null for the configured one. */
const horizonOf = ({ horizonDays }: Row) =>
  horizonDays ? Math.min(MAX_HORIZON_DAYS, horizonDays) : null

function shareText({ censoredShare: share, missing }: ForecastAnswer) {
  if (share > 0) return message('censored_share', { percent: Math.round(1000 * share) / 10 })
  return missing.some(({ code }) => code === 'stock_history')
    ? message('censored_share_unknown')
    : message('censored_share_none')
}

const missingText = (missing: readonly MissingData[]) =>
  missing.length
    ? missing.map(({ code, days }) => message(`missing_${code}`, { days })).join('; ')
    : message('missing_nothing')
