import { dataOf, rowsOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand, collect } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note, print, printJson } from '../output.ts'
import { toSafeText } from '../text.ts'
import { describeRule, valuesIn } from './describe-rule.ts'
import { type KeyOptions, keyOf, nameOf, withKey } from './key.ts'
import { fieldOf, valuesOf, withValues } from './values.ts'
import type { Command } from 'commander'
import type { Restock } from '../../client/index.ts'

type Options = KeyOptions & { clear?: string[]; json?: true } & Record<string, unknown>

/** `restock policies set` */
export function setCommand(): Command {
  const command = apiCommand('set', 'set values of an ordering rule; its other values stay', [
    'policies set --sku A-100 --location L1 --lead-time-days 14',
    'policies set --supplier S-7 --minimum-order-value 500.00 --order-days 1,4',
    'policies set --default --review-period-days 7 --clear moq',
  ])
  return withValues(withKey(command))
    .option('--clear <names>', 'values to remove from the rule, e.g. moq,lot-size', collect)
    .action(set)
}

async function set(options: Options): Promise<void> {
  const key = keyOf(options)
  const cleared = (options.clear ?? []).map((name) => {
    const field = fieldOf(name)
    if (field) return field
    throw new WrongUsage(`--clear does not know ${name}: name values as their flags, e.g. moq.`)
  })
  const given = valuesOf(options)
  if (!Object.keys(given).length && !cleared.length) {
    throw new WrongUsage('Give at least one value, e.g. --lead-time-days 14.')
  }
  const client = openClient()
  const body = { ...key, ...(await valuesBefore(client, key)), ...given }
  for (const field of cleared) delete (body as Record<string, unknown>)[field]
  const answer = await client.call('put', '/policies', { body })
  for (const { message } of answer.data.warnings ?? []) note(toSafeText(message))
  if (options.json) return printJson(answer)
  const rule = dataOf(answer, ['level'])
  print(toSafeText(`Rule for ${nameOf(rule)}: ${describeRule(rule)}.`))
}

/** The rule's current values; they are sent again, because the API replaces the whole rule. */
async function valuesBefore(client: Restock, key: ReturnType<typeof keyOf>) {
  const answer = await client.call('get', '/policies', { query: { ...key, limit: 1 } })
  const [rule] = rowsOf(answer, ['level'])
  return rule ? valuesIn(rule) : {}
}
