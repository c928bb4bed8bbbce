// Service against stock value, as the page for managers shows it.
import cds, { type Request } from '@sap/cds'
import type { Simulation, SimulationGroup, SimulationPoint } from '#cds-models/ProposalsService'
import { isRefusal } from '../errors.ts'
import { send } from '../services.ts'
import type { ServiceRow } from '../store/service-row.ts'
import { message } from '../texts.ts'
import { addNames } from './names.ts'
import { plainCode } from '../plain-code.ts'

type Point = ServiceRow<SimulationPoint>
type Group = ServiceRow<SimulationGroup>

interface Input {
  target?: number | string | null
  changeDays?: number | null
  budget?: number | string | null
  by?: string | null
}

/** Registers the handler of srv/buyer/simulation.cds. */
export function handleSimulation(service: cds.ApplicationService) {
  service.on('simulate', readSimulation)
}

async function readSimulation(req: Request<Input>) {
  const { target, budget, ...rest } = req.data
  const numbers = { target: numberOf(target), budget: numberOf(budget) }
  try {
    const found = await send<ServiceRow<Simulation>>('ProposalsService', 'simulate', {
      ...rest,
      ...numbers,
    })
    return await toAnswer(found, rest.by ?? 'abc', numbers.target)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code, status, message: text } = error
    return req.reject({ code, status, message: text } as never)
  }
}

const numberOf = (value: unknown) => (value == null ? null : Number(value))

async function toAnswer(found: ServiceRow<Simulation>, by: string, target: number | null) {
  const { budget, groups, today, rules, asked, curve, ...rest } = found
  return {
    ...rest,
    onHandValue: rest.onHandValue.toFixed(2),
    ...{ today: toPoint(today), rules: toPoint(rules), asked: asked && toPoint(asked) },
    curve: curve.map(toPoint),
    groups: await toGroups(groups, by, target),
    budgetTarget: budget?.target ?? null,
    budgetPoint: budget?.atTarget ? toPoint(budget.atTarget) : null,
    budgetSpread: budget?.spread ? toPoint(budget.spread) : null,
    maySet: cds.context!.user.is('Admin'),
  }
}

const toPoint = ({ target, stockValue, stockError, fillRate, stockoutChance, ...rest }: Point) => ({
  ...{ target, stockValue: stockValue.toFixed(2), stockError: stockError.toFixed(2) },
  fillRate: fillRate === null ? null : fillRate.toFixed(4),
  stockoutChance: stockoutChance.toFixed(4),
  shortPerYear: rest.shortPerYear.toFixed(2),
})

async function toGroups(groups: Group[], by: string, target: number | null) {
  const named = groups.map(({ code, source }) => ({
    ...{ source, location: by === 'location' ? code : null },
    ...{ supplier: by === 'supplier' ? code : null, locationName: null, supplierName: null },
  }))
  await addNames(named, new Set(['supplierName', 'locationName']))
  return groups.map(({ code, pairs, rules, curve, target: spent }, at) => {
    const { supplierName, locationName } = named[at]!
    const pointAt = (level: number | null) =>
      level === null ? undefined : curve.find((point) => point.target === level)
    const [asked, spread] = [pointAt(target), pointAt(spent)]
    return {
      ...{ code, pairs, target: spent, text: textOf(code, by, supplierName ?? locationName) },
      ...{ rules: toPoint(rules), curve: curve.map(toPoint) },
      ...{ asked: asked ? toPoint(asked) : null, spread: spread ? toPoint(spread) : null },
    }
  })
}

function textOf(code: string, by: string, name: string | null) {
  if (!code) return message('simulation_others')
  if (by === 'abc') return message(`simulation_class_${code}`)
  return name ? `${name} (${plainCode(code)})` : plainCode(code)
}
