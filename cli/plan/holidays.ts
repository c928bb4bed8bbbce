import type { Command } from 'commander'
import type { HolidayCalendar } from '../../client/index.ts'
import { dataOf, rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { tableOf } from '../table.ts'
import { toSafeText } from '../text.ts'

interface Options {
  location?: string
  country?: string
  region?: string
  none?: true
  remove?: true
  json?: true
}

/** `restock plan holidays` */
export function holidaysCommand(): Command {
  return apiCommand('holidays', 'show or say whose public holidays hold at which location', [
    'plan holidays',
    'plan holidays --country DE',
    'plan holidays --country DE --region BY --location L1',
    'plan holidays --location L2 --none',
  ])
    .option('--country <code>', 'the two letters of a country, e.g. DE')
    .option('--region <code>', 'a part of it with holidays of its own, e.g. BY (none)')
    .option('--location <code>', 'at this location (all that have no country of their own)')
    .option('--none', 'no public holidays there')
    .option('--remove', 'take back what was said')
    .action(holidays)
}

async function holidays(options: Options): Promise<void> {
  const { location, country, region, none, remove, json } = options
  const chosen = [country, none, remove].filter(Boolean)
  if (chosen.length > 1) throw new WrongUsage('Give one of --country, --none and --remove.')
  if (region && !country) throw new WrongUsage('--region needs --country.')
  if (!chosen.length) {
    if (location) throw new WrongUsage('Give --country, --none or --remove with --location.')
    return list(json)
  }
  const client = openClient()
  const where = location ? `at ${location}` : 'at all other locations'
  if (remove) {
    const answer = await client.call('delete', '/holiday-calendars', { query: { location } })
    return json ? printJson(answer) : print(toSafeText(`Removed what holds ${where}.`))
  }
  const body = { location: location ?? null, country: country ?? null, region: region ?? null }
  const answer = await client.call('put', '/holiday-calendars', { body })
  if (json) return printJson(answer)
  const { concerns } = dataOf(answer, ['changed_at'])
  const what = country ? `The public holidays of ${nameOf(body)} hold` : 'No public holidays hold'
  print(toSafeText(`${what} ${where}: it concerns ${concerns} SKUs at locations.`))
}

async function list(json?: true): Promise<void> {
  const answer = await openClient().call('get', '/holiday-calendars', { query: { limit: 200 } })
  if (json) return printJson(answer)
  const rows = rowsOf(answer, ['changed_at'])
  if (!rows.length) return note('No country is set.')
  print(
    tableOf<HolidayCalendar>(
      [
        { head: 'Location', value: (row) => row.location ?? 'all others' },
        { head: 'Holidays of', value: (row) => nameOf(row) },
        { head: 'Set by', value: (row) => row.changed_by },
      ],
      rows,
    ),
  )
}

const nameOf = ({ country, region }: Pick<HolidayCalendar, 'country' | 'region'>) =>
  country ? country.toUpperCase() + (region ? `-${region.toUpperCase()}` : '') : 'none'
