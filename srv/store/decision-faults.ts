// What is wrong with what was given for a decision, as srv/proposals/constraints.cds says.
import cds from '@sap/cds'
import type { Step } from './proposal-flow.ts'

export interface Fault {
  /** The parameter. */
  target: string
  /** A key of _i18n/messages.json. */
  message: string
}

interface Action {
  params?: Record<string, { '@restock.future'?: string }>
}

const OPTIONS = { mandatories: true, cleanse: false }

type Definition = object & { actions: Record<Step, Action> }

type Validate = (data: object, action: Action, options: object) => Fault[] | undefined

/** CAP's own check of what an action is given; its types do not know it. */
const { validate } = cds as object as { validate: Validate }

/** The first fault; undefined where there is none. */
export function faultIn(step: Step, data: object): Fault | undefined {
  const action = actionOf(step)
  return validate(data, action, OPTIONS)?.[0] ?? pastIn(action, data)
}

/** A time that is not to come, where it must be: CAP has no annotation that compares with now. */
export const pastTimeIn = (step: Step, data: object) => pastIn(actionOf(step), data)

const actionOf = (step: Step) =>
  (cds.model!.definitions['ProposalsService.Proposals'] as object as Definition).actions[step]

function pastIn({ params = {} }: Action, data: object): Fault | undefined {
  const given = new Map<string, unknown>(Object.entries(data))
  for (const [target, { '@restock.future': message }] of Object.entries(params)) {
    if (message && !(Date.parse(String(given.get(target))) > Date.now())) return { target, message }
  }
}
