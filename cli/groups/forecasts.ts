import { openClient } from '../client.ts'
import { callCommand, group, option, wholeNumber } from '../command.ts'
import { changeOf } from './calendar.ts'

interface Options {
  horizon?: number
  drivers?: true
}

/** `restock forecasts get <sku> <location>` */
export const forecastsCommand = () =>
  group('forecasts', 'look up forecasts', [
    callCommand({
      name: 'get',
      summary: 'show the expected demand of one SKU at one location',
      examples: ['forecasts get A-100 L1 --horizon 28 --drivers'],
      args: { '<sku>': '', '<location>': '' },
      options: [
        option('--horizon <days>', 'days ahead, 1 to 90', wholeNumber(1, 90)),
        option('--drivers', 'show the drivers of the forecast'),
      ],
      call: ({ horizon, drivers }: Options, sku, location) =>
        openClient().call('get', '/forecasts', {
          query: { sku, location, horizon, include_drivers: drivers },
        }),
      needs: ['sku', 'location', 'horizon_days', 'forecast', 'confidence', 'drivers'],
      tell(found, { drivers }) {
        const { forecast, adjusted_forecast: adjusted, overrides = [], missing_data } = found
        const from = found.as_of ? ` from ${found.as_of}` : ''
        const changes = overrides.map((each) => `${changeOf(each)}: ${each.reason}`)
        const censored = Math.round(100 * (found.censored_share ?? 0))
        const lines = [
          `${found.sku} at ${found.location}, ${found.horizon_days} days${from}`,
          `${rangeOf(forecast)}, confidence ${found.confidence}`,
        ]
        if (adjusted) lines.push(`Adjusted ${rangeOf(adjusted)}, ${changes.join('; ')}`)
        if (censored) lines.push(`Without stock on ${censored} % of the past year's days`)
        for (const { message } of missing_data ?? []) lines.push(`Missing: ${message}`)
        if (!drivers) return lines
        lines.push(`Drivers: ${found.drivers.join(', ') || 'none'}`)
        const amounts = found.driver_amounts?.map(({ driver, amount }) => `${amount} ${driver}`)
        if (amounts?.length)
          lines.push(`P50 ${forecast.p50} = ${amounts.join(' + ')}`.replaceAll('+ -', '- '))
        return lines
      },
    }),
  ])

const rangeOf = ({ p10, p50, p90 }: Record<'p10' | 'p50' | 'p90', number>) =>
  `P50 ${p50} (P10 ${p10}, P90 ${p90})`
