// What measuring a day and planning a month add to a run of 5,000 pairs, in processor time: node bench/decisions/months.ts
import { EMPTY_CONTEXT, forecastPair, toEpochDay } from '../../engine/index.ts'
import { propose, type ProposalInput } from '../../engine/proposal/index.ts'
import { DayOfPairs } from '../../srv/domain/proposals/run/measured-values.ts'
import type { PairInputs } from '../../srv/domain/proposals/terms/pair-inputs.ts'
import { demandOf } from '../../srv/domain/proposals/terms/source-inputs.ts'

const PAIRS = 5_000
/** Different histories; the pairs take them in turn. */
const HISTORIES = 200
const AS_OF = '2026-11-01'

const models = Array.from({ length: HISTORIES }, (_, at) => {
  const first = toEpochDay(AS_OF) - 400
  const days = Int32Array.from({ length: 400 }, (_, day) => first + day)
  const wanted = (day: number) =>
    (day * 7 + at * 13) % (1 + (at % 9)) ? 0 : 1 + ((day * 31 + at) % 20)
  const quantities = Float64Array.from(days, (_, day) => wanted(day))
  return forecastPair({ days, quantities }, toEpochDay(AS_OF), EMPTY_CONTEXT)
})

const pairs = Array.from({ length: PAIRS }, (_, at) => {
  const pair = { location: `L${at % 5}`, skuGroup: `G${at % 20}`, unitCost: '3.5', currency: 'EUR' }
  const input: ProposalInput = {
    ...{ asOf: AS_OF, forecast: demandOf(models[at % HISTORIES]!) },
    position: { onHand: (at * 17) % 120, onOrder: 0, openProposals: 0 },
    planning: {
      ...{ leadTimeDays: 7 + (at % 21), reviewPeriodDays: 7, moq: 1, lotSize: 6 },
      ...{ supplier: 'S', unitCost: 3.5 },
    },
    policy: {
      ...{ reviewPeriodDays: 7, supplierRequired: false },
      target: { stockoutRate: 0.4, carryingRate: 0.25, unmetDemand: 'backordered' },
    },
  }
  return { pair: pair as PairInputs, input, result: propose(input) }
})

function time(name: string, planned: number) {
  const before = process.cpuUsage()
  const day = new DayOfPairs(planned)
  for (const { pair, input, result } of pairs) day.add(pair, input, result)
  const { user, system } = process.cpuUsage(before)
  console.log(`${name}: ${((user + system) / 1e6).toFixed(2)} s, ${day.groups.length} groups`)
}

for (let again = 0; again < 3; again++) {
  time('a day', 0)
  time('a day and a month of 30 days', 30)
}
process.exit(0)
