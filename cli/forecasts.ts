import { Command } from 'commander'
import { dataOf } from './answers.ts'
import { openClient } from './client.ts'
import { apiCommand, wholeNumber } from './command.ts'
import { print, printJson } from './output.ts'
import { changeOf } from './overrides/list.ts'
import { toSafeText } from './text.ts'

interface Options {
  horizon?: number
  drivers?: true
  json?: true
}

/** `restock forecasts get <sku> <location>` */
export function forecastsCommand(): Command {
  const get = apiCommand('get', 'show the expected demand of one SKU at one location', [
    'forecasts get A-100 L1 --horizon 28 --drivers',
  ])
    .argument('<sku>')
    .argument('<location>')
    .option('--horizon <days>', 'days ahead, 1 to 90', wholeNumber(1, 90))
    .option('--drivers', 'show the drivers of the forecast')
    .action(getForecast)
  return new Command('forecasts').description('look up forecasts').addCommand(get)
}

async function getForecast(sku: string, location: string, options: Options): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/forecasts', {
    query: { sku, location, horizon: options.horizon, include_drivers: options.drivers },
  })
  if (options.json) return printJson(answer)
  const found = dataOf(answer, [
    'sku',
    'location',
    'horizon_days',
    'forecast',
    'confidence',
    'drivers',
  ])
  const { p10, p50, p90 } = found.forecast
  const from = found.as_of ? ` from ${found.as_of}` : ''
  print(toSafeText(`${found.sku} at ${found.location}, ${found.horizon_days} days${from}`))
  print(toSafeText(`P50 ${p50} (P10 ${p10}, P90 ${p90}), confidence ${found.confidence}`))
  const adjusted = found.adjusted_forecast
  if (adjusted) {
    const { p10, p50, p90 } = adjusted
    const by = (found.overrides ?? []).map(
      (override) => `${changeOf(override)}: ${override.reason}`,
    )
    print(toSafeText(`Adjusted P50 ${p50} (P10 ${p10}, P90 ${p90}), ${by.join('; ')}`))
  }
  const censored = Math.round(100 * (found.censored_share ?? 0))
  if (censored) print(`Without stock on ${censored} % of the past year's days`)
  for (const { message } of found.missing_data ?? []) print(toSafeText(`Missing: ${message}`))
  if (!options.drivers) return
  print(toSafeText(`Drivers: ${found.drivers.join(', ') || 'none'}`))
  const amounts = found.driver_amounts?.map(({ driver, amount }) => `${amount} ${driver}`)
  if (amounts?.length)
    print(toSafeText(`P50 ${p50} = ${amounts.join(' + ')}`.replaceAll('+ -', '- ')))
}
