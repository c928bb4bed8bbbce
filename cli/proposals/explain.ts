import type { ProposalEvidence } from '../../client/index.ts'
import { openClient } from '../client.ts'
import { callCommand } from '../command.ts'
import { money, words } from '../output.ts'
import { type Column, linesOf } from '../table.ts'

type Step = ProposalEvidence['waterfall']['steps'][number]
type Calculation = ProposalEvidence['calculation']
type CleanedDay = ProposalEvidence['cleaned_days'][number]

/** `restock proposals explain <id>` */
export const explainCommand = () =>
  callCommand({
    name: 'explain',
    summary: 'show the calculation of a proposal, what its forecast is made of, and each decision',
    examples: ['proposals explain prop_1042'],
    args: { '<id>': 'the proposal, e.g. prop_1042' },
    call: (_options, id) => openClient().call('get', '/proposals/{id}/evidence', { path: { id } }),
    needs: ['quantity', 'lines', 'calculation', 'decisions'],
    tell({ quantity, lines, calculation, waterfall, cleaned_days, decisions }) {
      const rules = Object.entries(calculation.rules ?? {}).map((rule) => rule.join(' '))
      return [
        ...linesOf(TERMS, lines),
        ...(rules.length ? [`By rule: ${rules.join(', ')}`] : []),
        ...leadTimeOf(calculation),
        ...lastLotOf({ calculation }),
        ...waitOf({ calculation }),
        ...(quantity === lines.at(-1)?.value ? [] : [`To be ordered: ${quantity}`]),
        ...(waterfall ? stepsOf(waterfall) : []),
        ...(cleaned_days?.length ? cleanedOf(cleaned_days) : []),
        ...decisions.flatMap(decisionOf),
      ]
    },
  })

const TERMS: Column<ProposalEvidence['lines'][number]>[] = [
  ['Term', (row) => words(row.term)],
  ['Value', (row) => row.value, 'right'],
  ['Calculation', (row) => row.formula],
]

interface Shown {
  calculation: Calculation
  currency?: string | null
}

/** Why the supplier's order waits. */
export function waitOf({ calculation, currency = null }: Shown): string[] {
  const { supplier_wait: wait } = calculation
  if (!wait) return []
  const [cost, saving] = [wait.cost_of_waiting, wait.saving].map((each) => money(each, currency))
  return [
    `The supplier's order waits ${wait.days} days: that costs ${cost} of its lines, and saves ${saving}.`,
  ]
}

/** What the last lot buys, by the costs in force. */
export function lastLotOf({ calculation, currency = null }: Shown): string[] {
  const { last_lot: lot } = calculation
  if (!lot) return []
  const chance = Math.round(1000 * lot.chance) / 10
  return [
    `Last lot of ${lot.units}: wanted in time with ${chance} %, which saves ${money(lot.saving, currency)};` +
      ` carrying it costs ${money(lot.carrying_cost, currency)}.`,
  ]
}

/** What receipts say, beside the lead time that was planned with. */
function leadTimeOf({ lead_time_measured: measured }: ProposalEvidence['calculation']): string[] {
  if (!measured) return []
  const { days, deviation_days, receipts, share_late } = measured
  const late = share_late === null ? '' : `, ${Math.round(share_late * 100)} % late`
  return [`Measured lead time: ${days} days ± ${deviation_days} (${receipts} receipts)${late}`]
}

function decisionOf(decision: ProposalEvidence['decisions'][number]): string[] {
  const { event, at, by, on_behalf_of, via, quantity, reason, comment } = decision
  const who = on_behalf_of ? `${by} for ${on_behalf_of}` : by
  const why = [reason, comment].filter((text) => text).join(': ')
  const { replayed_quantity: replayed, calculation, engine_version } = decision
  const same = replayed === calculation.quantity ? 'the same' : `not ${calculation.quantity}`
  return [
    '',
    `${at} ${words(event)} ${quantity} by ${who} (${via}) ${why}`.trim(),
    `Recalculated from the stored inputs: ${replayed}, ${same} (engine ${engine_version}).`,
  ]
}

const TOTALS = ['last_year', 'forecast']

const STEP_NAMES: Record<string, string> = {
  last_year: 'same days a year ago',
  level: 'usual demand',
  trend: 'change of the level since then',
  forecast: 'forecast (P50)',
}

const STEPS: Column<Step>[] = [
  ['Step', ({ step }) => STEP_NAMES[step] ?? words(step)],
  [
    'Units',
    ({ step, amount }) => (amount > 0 && !TOTALS.includes(step) ? `+${amount}` : amount),
    'right',
  ],
]

/** What the forecast is made of: steps from last year. */
function stepsOf({ horizon_days: days, steps }: ProposalEvidence['waterfall']): string[] {
  if (!steps.length) return []
  return ['', `From last year to this forecast, ${days} days:`, ...linesOf(STEPS, steps)]
}

const REASONS: Record<CleanedDay['reasons'][number], string> = {
  out_of_stock: 'out of stock',
  closed: 'closed',
  outlier: 'outlier',
  return: 'return',
  planned: 'planned event or price',
}

/** Days in a row with the same reasons. */
interface Spell extends Omit<CleanedDay, 'date'> {
  from: string
  to: string
}

const units = (amount: number) => Math.round(amount * 10) / 10

const SPELLS: Column<Spell>[] = [
  ['From', ({ from }) => from],
  ['To', ({ to }) => to],
  ['Booked', ({ booked }) => units(booked), 'right'],
  ['Counts as', ({ taken }) => (taken === null ? 'left out' : units(taken)), 'right'],
  ['Why', ({ reasons }) => reasons.map((reason) => REASONS[reason]).join(', ')],
]

const cleanedOf = (days: CleanedDay[]) => [
  '',
  'Days that the forecast does not take as they were booked:',
  ...linesOf(SPELLS, spellsOf(days)),
]

const DAY_MS = 86_400_000

function spellsOf(days: CleanedDay[]): Spell[] {
  const spells: Spell[] = []
  for (const { date, booked, taken, reasons } of days) {
    const last = spells.at(-1)
    const isNext = last && Date.parse(date) - Date.parse(last.to) === DAY_MS
    const isSame = isNext && reasons.join() === last.reasons.join()
    if (isSame && (taken === null) === (last.taken === null)) {
      last.to = date
      last.booked += booked
      last.taken = last.taken === null ? null : last.taken + taken!
    } else spells.push({ from: date, to: date, booked, taken, reasons })
  }
  return spells
}
