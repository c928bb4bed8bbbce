// What the forecast of a proposal is made of: steps from last year, and days that it does not take as they were booked.
import type { ProposalEvidence } from '../../client/index.ts'
import { print } from '../output.ts'
import { linesOf } from '../table.ts'

type Step = ProposalEvidence['waterfall']['steps'][number]
type CleanedDay = ProposalEvidence['cleaned_days'][number]

/** Days in a row with the same reasons. */
interface Spell {
  from: string
  to: string
  booked: number
  taken: number | null
  reasons: CleanedDay['reasons']
}

const DAY_MS = 86_400_000
const TOTALS = ['last_year', 'forecast']

const STEP_NAMES: Record<string, string> = {
  last_year: 'same days a year ago',
  level: 'usual demand',
  trend: 'change of the level since then',
  forecast: 'forecast (P50)',
}

const REASONS: Record<CleanedDay['reasons'][number], string> = {
  out_of_stock: 'out of stock',
  closed: 'closed',
  outlier: 'outlier',
  return: 'return',
  planned: 'planned event or price',
}

export function printWaterfall({ horizon_days: days, steps }: ProposalEvidence['waterfall']) {
  if (!steps.length) return
  print('')
  print(`From last year to this forecast, ${days} days:`)
  linesOf(STEPS, steps).forEach(print)
}

export function printCleanedDays(days: CleanedDay[]) {
  if (!days.length) return
  print('')
  print('Days that the forecast does not take as they were booked:')
  linesOf(SPELLS, spellsOf(days)).forEach(print)
}

const signed = (amount: number) => (amount > 0 ? `+${amount}` : String(amount))
const units = (amount: number) => Math.round(amount * 10) / 10

const STEPS = [
  { head: 'Step', value: ({ step }: Step) => STEP_NAMES[step] ?? step.replaceAll('_', ' ') },
  {
    head: 'Units',
    value: ({ step, amount }: Step) => (TOTALS.includes(step) ? amount : signed(amount)),
    isRightAligned: true,
  },
]

const SPELLS = [
  { head: 'From', value: ({ from }: Spell) => from },
  { head: 'To', value: ({ to }: Spell) => to },
  { head: 'Booked', value: ({ booked }: Spell) => units(booked), isRightAligned: true },
  {
    head: 'Counts as',
    value: ({ taken }: Spell) => (taken === null ? 'left out' : units(taken)),
    isRightAligned: true,
  },
  {
    head: 'Why',
    value: ({ reasons }: Spell) => reasons.map((reason) => REASONS[reason]).join(', '),
  },
]

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
