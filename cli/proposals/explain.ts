import { dataOf } from '../answers.ts'
import { openClient } from '../client.ts'
import { apiCommand } from '../command.ts'
import { print, printJson } from '../output.ts'
import { linesOf } from '../table.ts'
import { printCleanedDays, printWaterfall } from './forecast-basis.ts'
import { toSafeText } from '../text.ts'
import type { Command } from 'commander'
import type { ProposalEvidence } from '../../client/index.ts'

type Decision = ProposalEvidence['decisions'][number]
type Line = ProposalEvidence['lines'][number]

/** `restock proposals explain <id>` */
export function explainCommand(): Command {
  return apiCommand(
    'explain',
    'show the calculation of a proposal, what its forecast is made of, and each decision',
    ['proposals explain prop_1042'],
  )
    .argument('<id>', 'the proposal, e.g. prop_1042')
    .action(explain)
}

async function explain(id: string, { json }: { json?: true }): Promise<void> {
  const client = openClient()
  const answer = await client.call('get', '/proposals/{id}/evidence', { path: { id } })
  if (json) return printJson(answer)
  const found = dataOf(answer, ['quantity', 'lines', 'calculation', 'decisions'])
  printSum(found.lines)
  const rules = Object.entries(found.calculation.rules ?? {})
  if (rules.length) {
    print(
      `By rule: ${rules.map(([value, rule]) => `${toSafeText(value)} ${toSafeText(rule)}`).join(', ')}`,
    )
  }
  printLeadTime(found.calculation)
  if (found.quantity !== found.lines.at(-1)?.value) print(`To be ordered: ${found.quantity}`)
  if (found.waterfall) printWaterfall(found.waterfall)
  if (found.cleaned_days) printCleanedDays(found.cleaned_days)
  found.decisions.forEach(printDecision)
}

/** What receipts say, beside the lead time that was planned with. */
function printLeadTime({ lead_time_measured: measured }: ProposalEvidence['calculation']) {
  if (!measured) return
  const { days, deviation_days, receipts, share_late } = measured
  const late = share_late === null ? '' : `, ${Math.round(share_late * 100)} % late`
  print(`Measured lead time: ${days} days ± ${deviation_days} (${receipts} receipts)${late}`)
}

const printSum = (lines: Line[]) => linesOf(COLUMNS, lines).forEach(print)

const COLUMNS = [
  { head: 'Term', value: (row: Line) => row.term.replaceAll('_', ' ') },
  { head: 'Value', value: (row: Line) => row.value, isRightAligned: true },
  { head: 'Calculation', value: (row: Line) => row.formula },
]

function printDecision(decision: Decision) {
  const { event, at, by, on_behalf_of, via, quantity, reason, comment } = decision
  const who = on_behalf_of ? `${by} for ${on_behalf_of}` : by
  const why = [reason, comment].filter((text) => text).join(': ')
  print('')
  print(
    toSafeText(`${at} ${event.replaceAll('_', ' ')} ${quantity} by ${who} (${via}) ${why}`.trim()),
  )
  const { replayed_quantity: replayed, calculation, engine_version } = decision
  const same = replayed === calculation.quantity ? 'the same' : `not ${calculation.quantity}`
  print(`Recalculated from the stored inputs: ${replayed}, ${same} (engine ${engine_version}).`)
}
